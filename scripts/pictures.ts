import { passThrough } from './pass-through.ts';

/** `npm run pictures`: writes the pictures of the README and the guide anew, from the real app. */
process.exitCode = await passThrough(process.execPath, ['scripts/test.ts', 'e2e', 'pictures.spec'], {
  ...process.env,
  GATEHOUSE_PICTURES: '1',
});

import { runVitest } from './suite.ts';

/**
 * `npm run test:faults` and `npm run test:fuzz`: a suite in its full length, where `npm test` runs it in a short form. Further arguments
 * go to Vitest, for instance the name of one file.
 */
const [suite = '', ...rest] = process.argv.slice(2);
process.env['GATEHOUSE_TEST_SCALE'] = 'full';
const { passed, failed } = await runVitest([suite], rest);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

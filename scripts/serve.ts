import { whenOrphaned } from './child.ts';

/** `npm run serve`: the registry without a window, which ends with the npm that started it. */
whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
process.argv.splice(2, 0, 'serve');
await import('../server/cli/main.ts');

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const program = `
  import { whenOrphaned } from ${JSON.stringify(path.resolve(import.meta.dirname, 'orphaned.ts'))};
  whenOrphaned(() => { console.log('orphaned'); process.exit(0); });
  console.log('watching');
  setInterval(() => {}, 1_000);
`;

describe('a process whose parent is ended', () => {
  it('notices when npm started it', async () => {
    const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$PROGRAM"; true'], {
      env: { NODE: process.execPath, PROGRAM: program, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    const closed = once(shell.stdout, 'close');
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output).toContain('watching');
    shell.kill('SIGTERM');
    // The pipe closes when the last process that holds it has ended.
    await closed;
    expect(output).toContain('orphaned');
  });
});

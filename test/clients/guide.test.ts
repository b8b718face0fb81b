import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { pageScript } from '../support/guide-code.ts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
const pages = readdirSync(path.join(projectFolder, 'docs/guide')).map((name) => `docs/guide/${name}`);

/** Milliseconds that a page may take; one with a server that does not start would wait for ever. */
const pageLimit = 120_000;

/** What pages need that a reader has elsewhere: the registry that runs, and one of somebody else with a token for it. */
const functions = `
registry() {
  gatehouse serve --data-dir "$1" --port "$2" > /dev/null &
  until curl --silent --fail --output /dev/null "http://localhost:$2/-/readiness"; do kill -0 $!; sleep 0.1; done
}
other_registry() {
  registry "$1" "$OTHER_PORT"
  gatehouse token create --data-dir "$1" --name other > ~/other-token.txt
}
`;

describe.concurrent('the guide', () => {
  test.for(pages)('every command of %s does what the page says', async (page) => {
    const [port, otherPort] = [await freePort(), await freePort()];
    const origin = `http://localhost:${port}`;
    const other = `http://localhost:${otherPort}`;
    const { script, commands, startsServer, faults } = pageScript(page, `${origin}/-/readiness`);
    expect(faults).toEqual([]);
    if (commands === 0) return;
    const text = [functions, startsServer ? '' : `registry "$GATEHOUSE_DATA_DIR" ${port}`, script]
      .join('\n')
      .replaceAll('4899', String(port))
      .replaceAll('https://gitlab.example.com', other)
      .replaceAll('//gitlab.example.com', other.slice('http:'.length))
      .replaceAll('https://registry.example.com', `${other}/api/v4/packages/npm`);

    const { code, output } = await runFresh(text, { GATEHOUSE_PORT: String(port), OTHER_PORT: String(otherPort) });
    expect(code, output.slice(-6_000)).toBe(0);
  });
});

/** Runs a script in a folder and a home of its own, and ends what it left running. */
async function runFresh(
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const base = await mkdtemp(path.join(tmpdir(), 'gatehouse-guide-'));
  const bin = path.join(base, 'global/bin');
  const work = path.join(base, 'work');
  for (const folder of [bin, work]) await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(bin, 'gatehouse'),
    `#!/bin/sh\nexec '${process.execPath}' '${path.join(projectFolder, 'server/cli/main.ts')}' "$@"\n`,
  );
  await chmod(path.join(bin, 'gatehouse'), 0o755);
  // What a folder without settings asks would be the public registry.
  await writeFile(path.join(base, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const child = spawn('bash', ['-c', script], {
    cwd: work,
    // A process group of its own, with the servers in it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [bin, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      HOME: base,
      GATEHOUSE_DATA_DIR: path.join(base, 'data'),
      // "npx gatehouse" finds the command there, as after "npm install --global".
      npm_config_prefix: path.join(base, 'global'),
      npm_config_cache: path.join(base, 'npm-cache'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_fetch_retries: '0',
      ...variables,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  const limit = setTimeout(() => child.kill('SIGKILL'), pageLimit);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  try {
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  } catch {
    // Nothing was left running.
  }
  await closed;
  await rm(base, { recursive: true, force: true });
  return { code, output };
}

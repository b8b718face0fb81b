import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { printText, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

/** `gatehouse user`: passwords for `npm login`. */
export function userCommand(): Command {
  return new Command('user').description('manage users').addCommand(passwordCommand());
}

function passwordCommand(): Command {
  return new Command('password')
    .description('set the password that a user logs in with (npm login)')
    .argument('<username>', 'for instance root')
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      '\nPrompts for the password. If standard input is no terminal, its first line is the password.',
    )
    .action(async (username: string, options: { dataDir: string }) => {
      const password = await readPassword();
      await withRegistry({ ...options, mayCreate: true }, async (registry) => {
        const user = await registry.user(username);
        await registry.call('directory.updateUser', { userId: user.id, password });
        remark(`${user.username} can now log in with "npm login".`);
      });
    });
}

async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readLine();
  const first = await ask('New password: ');
  const second = await ask('The same again: ');
  if (first !== second) throw new GatehouseError('invalid_request', 'The two are not the same. Nothing was changed.');
  return first;
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

/** One answer from the terminal that does not show on it. */
function ask(question: string): Promise<string> {
  printText(question, 'stderr');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      reader.close();
      reject(new GatehouseError('invalid_request', 'Nothing was changed.'));
    });
    reader.question('', (answer) => {
      reader.close();
      printText('\n', 'stderr');
      resolve(answer);
    });
  });
}

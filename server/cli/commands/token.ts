import { Command, InvalidArgumentError, Option } from 'commander';
import { type TokenScope, tokenScopes } from '../../accounts/access/principal.ts';
import type { TokenEntry } from '../../contract/directory.ts';
import { isDate } from '../../lib/calendar.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, remark, table, wholeNumber } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface CreateOptions {
  readonly dataDir: string;
  readonly user: string;
  readonly name: string;
  readonly scope: TokenScope[];
  readonly description: string;
  readonly expires?: string;
  readonly json: boolean;
}

/** `gatehouse token`: personal access tokens without a window and without another token. */
export function tokenCommand(): Command {
  return new Command('token')
    .description('create, list and revoke personal access tokens')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create a token and print it, this once')
    .addOption(dataDirOption())
    .option('--user <username>', 'owner of the token', 'root')
    .requiredOption('--name <name>', 'for instance ci')
    .addOption(
      new Option('--scope <scope...>', `scopes: ${tokenScopes.join(', ')}`)
        .argParser(addScope)
        .default([] as TokenScope[], 'api'),
    )
    .option('--description <text>', 'what it is for', '')
    .addOption(new Option('--expires <date>', 'first day on which it no longer works').argParser(parseDay))
    .option('--json', 'print JSON', false)
    .action((options: CreateOptions) =>
      withRegistry({ ...options, mayCreate: true }, async (registry) => {
        const { token, secret } = await registry.call('directory.createToken', {
          userId: (await registry.user(options.user)).id,
          name: options.name,
          description: options.description,
          scopes: options.scope.length === 0 ? ['api'] : options.scope,
          expiresOn: options.expires ?? null,
        });
        if (options.json) printJson({ ...withOwnerId(token), token: secret });
        else print(secret);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list tokens, without their secrets')
    .addOption(dataDirOption())
    .option('--user <username>', 'only tokens of one user')
    .option('--json', 'print JSON', false)
    .action((options: { dataDir: string; user?: string; json: boolean }) =>
      withRegistry(options, async (registry) => {
        const userId = options.user === undefined ? null : (await registry.user(options.user)).id;
        const tokens = (await registry.call('directory.tokens', { userId })).toReversed();
        if (options.json) {
          printJson(tokens.map((token) => ({ ...withOwnerId(token), state: token.state })));
          return;
        }
        const heading = ['ID', 'USER', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'];
        const cells = tokens.map((token) => [
          String(token.id),
          token.user.username,
          token.name,
          token.scopes.join(' '),
          token.state,
          token.expiresOn ?? 'never',
          token.lastUsedAt === null ? 'never' : new Date(token.lastUsedAt).toISOString(),
        ]);
        for (const line of table([heading, ...cells])) print(line);
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke a token at once')
    .argument(
      '<id>',
      'number of the token, from "gatehouse token list"',
      wholeNumber(0, Infinity, 'Name a token by its number.'),
    )
    .addOption(dataDirOption())
    .action((id: number, options: { dataDir: string }) =>
      withRegistry(options, async ({ call }) => {
        await call('directory.revokeToken', { tokenId: id });
        remark(`Token ${id} no longer works.`);
      }),
    );
}

function withOwnerId({ user, state: _state, ...token }: TokenEntry) {
  return { userId: user.id, ...token };
}

function addScope(value: string, scopes: TokenScope[]): TokenScope[] {
  const wanted = value.split(',').map((text) => tokenScopes.find((scope) => scope === text.trim()));
  if (!wanted.every((scope) => scope !== undefined)) {
    throw new InvalidArgumentError(`Scopes are ${tokenScopes.join(', ')}.`);
  }
  return [...scopes, ...wanted];
}

function parseDay(value: string): string {
  if (isDate(value)) return value;
  throw new InvalidArgumentError('A date is written as 2027-01-31.');
}

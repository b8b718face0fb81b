import { Command, InvalidArgumentError, Option } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { isDate } from '../../lib/calendar.ts';
import { type TokenScope, tokenScopes } from '../../accounts/access/principal.ts';
import type { UserRecord } from '../../accounts/records.ts';
import { dataDirOption } from '../data-dir.ts';
import { cliActor, type People, withPeople } from '../open-people.ts';
import { print, printJson, remark, table } from '../print.ts';

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
    .description('make, list and revoke personal access tokens')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('print a new token, which is shown this once')
    .addOption(dataDirOption())
    .option('--user <username>', 'whose token it is', 'root')
    .requiredOption('--name <name>', 'what it is for, for instance ci')
    .addOption(
      new Option('--scope <scope...>', `what it may do: ${tokenScopes.join(', ')}`)
        .argParser(addScope)
        .default([] as TokenScope[], 'api'),
    )
    .option('--description <text>', 'more about it', '')
    .addOption(new Option('--expires <date>', 'first day on which it no longer works').argParser(parseDay))
    .option('--json', 'print it with all that is known of it as JSON', false)
    .action((options: CreateOptions) =>
      withPeople(options.dataDir, async (people) => {
        const { token, secret } = await people.people.tokens.create(cliActor, {
          userId: userNamed(people, options.user).id,
          name: options.name,
          description: options.description,
          scopes: options.scope.length === 0 ? ['api'] : options.scope,
          expiresOn: options.expires ?? null,
        });
        if (options.json) printJson({ ...token, token: secret });
        else print(secret);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list tokens without their secrets')
    .addOption(dataDirOption())
    .option('--user <username>', 'only those of one user')
    .option('--json', 'print them as JSON', false)
    .action((options: { dataDir: string; user?: string; json: boolean }) =>
      withPeople(options.dataDir, (people) => {
        const { tokens, users } = people.people;
        const owner = options.user === undefined ? undefined : userNamed(people, options.user).id;
        const rows = tokens.list(owner).map((token) => ({ ...token, state: tokens.stateOf(token) }));
        if (options.json) {
          printJson(rows);
          return;
        }
        const heading = ['ID', 'USER', 'NAME', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'];
        const cells = rows.map((token) => [
          String(token.id),
          users.get(token.userId).username,
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
    .description('take a token out of use at once')
    .argument('<id>', 'its number, as `gatehouse token list` shows it', parseId)
    .addOption(dataDirOption())
    .action((id: number, options: { dataDir: string }) =>
      withPeople(options.dataDir, async ({ people }) => {
        await people.tokens.revoke(cliActor, id);
        remark(`Token ${id} no longer works.`);
      }),
    );
}

/** @throws GatehouseError `user_not_found`. */
export function userNamed({ people }: People, username: string): UserRecord {
  const user = people.users.findByUsername(username);
  if (!user) throw new GatehouseError('user_not_found', `There is no user ${username}.`);
  return user;
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

function parseId(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Name a token by its number.');
}

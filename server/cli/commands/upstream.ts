import { Command, InvalidArgumentError, Option } from 'commander';
import type { MethodParams } from '../../contract/methods.ts';
import { publishAddress, upstreamKinds } from '../../contract/upstream.ts';
import type { PushOrigin, Upstream } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, readInput, table } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

interface SettingOptions {
  readonly dataDir: string;
  readonly kind?: 'npm' | 'gitlab' | 'verdaccio' | 'gatehouse';
  readonly url?: string;
  readonly scope?: string[];
  readonly pushUrl?: string;
  readonly push?: string[];
  readonly pushFrom?: string[];
  readonly autoPush?: boolean;
  readonly minimumAge?: number;
  readonly timeout?: number;
  readonly except?: string[];
  readonly enabled?: boolean;
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
}

/** `gatehouse upstream`: other registries that packages come from and go to. */
export function upstreamCommand(): Command {
  return new Command('upstream')
    .description('manage other registries: the public one, GitLab, Verdaccio, another Gatehouse')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(changeCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand())
    .addCommand(dropCommand())
    .addCommand(claimsCommand())
    .addCommand(claimCommand())
    .addCommand(releaseCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list upstreams and their state')
    .option('--json', 'print JSON', false)
    .addOption(dataDirOption())
    .action(({ dataDir, json }: { dataDir: string; json: boolean }) =>
      withRegistry({ dataDir }, async ({ call }) => {
        const { upstreams } = await call('upstream.list', {});
        if (json) {
          printJson(upstreams);
          return;
        }
        if (upstreams.length === 0)
          print('There are no upstreams. Add one with "gatehouse upstream add NAME URL --scope \'*\'".');
        for (const line of table(upstreams.map(describe))) print(line);
      }),
    );
}

function addCommand(): Command {
  return withSettings(new Command('add').description('add an upstream').argument('<name>').argument('<url>')).action(
    (name: string, url: string, options: SettingOptions) =>
      withRegistry({ ...options, mayCreate: true }, async (registry) => {
        const { call } = registry;
        const { kind = 'npm' } = options;
        const settings = await given(registry, options, { kind, url });
        const added = await call('upstream.create', { ...settings, name, url, kind });
        print(`Added ${added.name}.`);
        await printOrigin(registry, added);
        const result = await call('upstream.test', { upstreamId: added.id });
        print(result.message);
      }),
  );
}

function changeCommand(): Command {
  return withSettings(new Command('set').description('change the settings of an upstream').argument('<name>'))
    .option('--url <url>', 'its address')
    .action((name: string, options: SettingOptions) =>
      withRegistry(options, async (registry) => {
        const before = await registry.upstream(name);
        const { url, kind } = options;
        const changed = await registry.call('upstream.update', {
          upstreamId: before.id,
          ...(await given(registry, options, { kind: kind ?? before.kind, url: url ?? before.url })),
          url,
          kind,
        });
        print(describe(changed).join('  '));
        await printOrigin(registry, changed);
      }),
    );
}

function testCommand(): Command {
  return new Command('test')
    .description('check that it answers and accepts the token')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async (registry) => {
        const { id } = await registry.upstream(name);
        const result = await registry.call('upstream.test', { upstreamId: id });
        print(`${result.message} (${result.milliseconds} ms)`);
        if (!result.ok) process.exitCode = 1;
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .description('remove an upstream and everything cached from it')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async (registry) => {
        const { id } = await registry.upstream(name);
        await registry.call('upstream.remove', { upstreamId: id });
        print(`Removed ${name}.`);
      }),
    );
}

function dropCommand(): Command {
  return new Command('drop')
    .description('delete a package, or all, from the cache')
    .argument('<name>')
    .argument('[package]')
    .addOption(dataDirOption())
    .action((name: string, dropped: string | undefined, { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async (registry) => {
        const { id } = await registry.upstream(name);
        await registry.call('upstream.dropCached', { upstreamId: id, name: dropped });
        print(`Deleted ${dropped ?? 'everything'} of ${name} from the cache.`);
      }),
    );
}

function claimsCommand(): Command {
  return new Command('claims')
    .description('list the scopes and names that belong to this registry for everybody')
    .option('--json', 'print JSON', false)
    .addOption(dataDirOption())
    .action(({ dataDir, json }: { dataDir: string; json: boolean }) =>
      withRegistry({ dataDir }, async ({ call }) => {
        const { claims, unclaimed } = await call('upstream.claims', {});
        if (json) {
          printJson({ claims, unclaimed });
          return;
        }
        const rows = claims.map(({ name, owner, claimedBy, claimedAt }) => [
          name,
          owner ?? '(no owner)',
          `by ${claimedBy}, ${new Date(claimedAt).toISOString().slice(0, 10)}`,
        ]);
        for (const line of table(rows)) print(line);
        if (unclaimed.length > 0) print(`published here, not claimed: ${unclaimed.join(' ')}`);
      }),
    );
}

function claimCommand(): Command {
  return new Command('claim')
    .description('make scopes and names local for everybody: no "*" upstream is asked for them')
    .argument('<names...>', 'for instance @acme internal-tool')
    .option('--owner <path>', 'top group or user that owns them at the group and instance prefixes; "" for none')
    .addOption(dataDirOption())
    .action((names: string[], { dataDir, owner }: { dataDir: string; owner?: string }) =>
      withRegistry({ dataDir }, async ({ call }) => {
        await call('upstream.claim', { names, owner: owner === '' ? null : owner });
        print(`Claimed ${names.join(' ')}.`);
      }),
    );
}

function releaseCommand(): Command {
  return new Command('release')
    .description('release claims')
    .argument('<names...>')
    .addOption(dataDirOption())
    .action((names: string[], { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async ({ call }) => {
        await call('upstream.release', { names });
        print(`Released ${names.join(' ')}.`);
      }),
    );
}

function withSettings(command: Command): Command {
  return command
    .addOption(
      new Option('--kind <kind>', 'kind of registry').choices(upstreamKinds.filter((kind) => kind !== 'archive')),
    )
    .option('--scope <scopes...>', 'packages that come from there: @scope, or * for all that no other upstream has')
    .option(
      '--push-url <url>',
      'where to publish, if different: for GitLab and Gatehouse a project ("acme/tools") is enough; "" for the same',
    )
    .option('--push <names...>', 'packages and scopes that "gatehouse push" sends there')
    .option('--push-from <paths...>', 'whose packages it sends: projects, or one top group')
    .option('--auto-push', 'push automatically whenever it can be reached')
    .option('--no-auto-push', 'push only on command')
    .option('--minimum-age <days>', 'hold back younger versions', parseDays)
    .option('--timeout <seconds>', 'give up if no response begins within this time', parseTimeout)
    .option('--except <names...>', 'names, scopes or NAME@VERSION that may be younger')
    .option('--enabled', 'use it')
    .option('--no-enabled', 'do not use it')
    .option('--token-file <file>', 'read its token from a file, "-" for standard input')
    .option('--token-env <variable>', 'read its token from an environment variable')
    .addOption(dataDirOption());
}

/** The given settings as the contract names them, for a registry `at` this URL. A token is never an argument, since other users can see those. */
async function given(
  registry: CommandRegistry,
  options: SettingOptions,
  at: Pick<Upstream, 'kind' | 'url'>,
): Promise<Omit<MethodParams<'upstream.update'>, 'upstreamId'>> {
  return {
    pushFrom: options.pushFrom && (await originOf(registry, options.pushFrom)),
    scopes: options.scope,
    pushUrl: options.pushUrl === '' ? null : options.pushUrl && publishAddress(at.kind, at.url, options.pushUrl),
    pushSelection: options.push,
    autoPush: options.autoPush,
    minimumAgeDays: options.minimumAge,
    timeoutMilliseconds: options.timeout,
    minimumAgeExceptions: options.except,
    enabled: options.enabled,
    token: tokenOf(options),
  };
}

/** A top group by its path, or projects by theirs. */
async function originOf(registry: CommandRegistry, paths: readonly string[]): Promise<PushOrigin> {
  const [path = ''] = paths;
  if (paths.length === 1 && !path.includes('/')) {
    const groups = await registry.call('directory.groups', { search: path });
    const group = groups.find(({ fullPath }) => fullPath.toLowerCase() === path.toLowerCase());
    if (group) return { groupId: group.id };
  }
  const projects = await Promise.all(paths.map((project) => registry.project(project)));
  return { projectIds: projects.map(({ id }) => id) };
}

async function printOrigin(registry: CommandRegistry, { name, pushSelection, pushFrom }: Upstream): Promise<void> {
  if (pushFrom === null) return;
  const found =
    'groupId' in pushFrom
      ? (await registry.call('directory.groups', { search: '' })).filter(({ id }) => id === pushFrom.groupId)
      : (await registry.call('directory.projects', {})).filter(({ id }) => pushFrom.projectIds.includes(id));
  const from = found.map(({ fullPath }) => fullPath).join(', ') || 'nothing that is still here';
  print(`${pushSelection.join(' ') || 'What is named'} goes to ${name} from ${from}.`);
}

function tokenOf({ tokenFile, tokenEnv }: SettingOptions): string | undefined {
  if (tokenFile !== undefined) return readInput(tokenFile).trim();
  if (tokenEnv === undefined) return undefined;
  const token = process.env[tokenEnv];
  if (token === undefined || token === '') throw new InvalidArgumentError(`${tokenEnv} is not set.`);
  return token;
}

function describe({ name, kind, url, scopes, state, cache, enabled }: Upstream): string[] {
  return [
    name,
    kind,
    url,
    scopes.join(' ') || '(no scopes)',
    enabled ? (state.status === 'reachable' && state.finding?.replace('_', ' ')) || state.status : 'switched off',
    `${plural(cache.packages, 'package')}, ${plural(cache.tarballs, 'tarball')}, ${(cache.bytes / 1024 / 1024).toFixed(1)} MB`,
  ];
}

function parseTimeout(text: string): number {
  const milliseconds = Math.round(Number(text) * 1000);
  if (/^\d+(?:\.\d+)?$/.test(text) && milliseconds >= 500 && milliseconds <= 120_000) return milliseconds;
  throw new InvalidArgumentError('A timeout is a number of seconds from 0.5 to 120.');
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && days <= 3650) return days;
  throw new InvalidArgumentError('Days are a number from 0 to 3650.');
}

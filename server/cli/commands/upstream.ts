import { Command, InvalidArgumentError, Option } from 'commander';
import type { MethodParams } from '../../contract/methods.ts';
import { upstreamKinds } from '../../contract/upstream.ts';
import type { Upstream } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { readInput } from '../input-file.ts';
import { print, printJson, table } from '../print.ts';
import { findUpstream, withRegistry } from '../with-registry.ts';

interface SettingOptions {
  readonly dataDir: string;
  readonly kind?: 'npm' | 'gitlab' | 'verdaccio' | 'gatehouse';
  readonly url?: string;
  readonly scope?: string[];
  readonly pushUrl?: string;
  readonly push?: string[];
  readonly autoPush?: boolean;
  readonly minimumAge?: number;
  readonly except?: string[];
  readonly enabled?: boolean;
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
}

/** `gatehouse upstream`: other registries that packages come from and go to. */
export function upstreamCommand(): Command {
  return new Command('upstream')
    .description('set up other registries: the public one, a GitLab, a Verdaccio, another Gatehouse')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(changeCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand())
    .addCommand(dropCommand())
    .addCommand(reserveCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list them with what is known of each')
    .option('--json', 'print them as JSON', false)
    .addOption(dataDirOption())
    .action(({ dataDir, json }: { dataDir: string; json: boolean }) =>
      withRegistry(dataDir, async ({ call }) => {
        const { upstreams } = await call('upstream.list', {});
        if (json) {
          printJson(upstreams);
          return;
        }
        if (upstreams.length === 0)
          print('None is set up. Add one with "gatehouse upstream add NAME URL --scope \'*\'".');
        for (const line of table(upstreams.map(describe))) print(line);
      }),
    );
}

function addCommand(): Command {
  return withSettings(new Command('add').description('set one up').argument('<name>').argument('<url>')).action(
    (name: string, url: string, options: SettingOptions) =>
      withRegistry(options.dataDir, async ({ call }) => {
        const added = await call('upstream.create', { ...given(options), name, url, kind: options.kind ?? 'npm' });
        print(`${added.name} is set up.`);
        const result = await call('upstream.test', { upstreamId: added.id });
        print(result.message);
      }),
  );
}

function changeCommand(): Command {
  return withSettings(new Command('set').description('change settings').argument('<name>'))
    .option('--url <url>', 'its address')
    .action((name: string, options: SettingOptions) =>
      withRegistry(options.dataDir, async (access) => {
        const { id } = await findUpstream(access, name);
        const changed = await access.call('upstream.update', {
          upstreamId: id,
          ...given(options),
          ...(options.url === undefined ? {} : { url: options.url }),
          ...(options.kind === undefined ? {} : { kind: options.kind }),
        });
        print(describe(changed).join('  '));
      }),
    );
}

function testCommand(): Command {
  return new Command('test')
    .description('ask whether it answers and takes the token')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: { dataDir: string }) =>
      withRegistry(dataDir, async (access) => {
        const { id } = await findUpstream(access, name);
        const result = await access.call('upstream.test', { upstreamId: id });
        print(`${result.message} (${result.milliseconds} ms)`);
        if (!result.ok) process.exitCode = 1;
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .description('remove one, with everything that was fetched from it')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: { dataDir: string }) =>
      withRegistry(dataDir, async (access) => {
        const { id } = await findUpstream(access, name);
        await access.call('upstream.remove', { upstreamId: id });
        print(`${name} is gone.`);
      }),
    );
}

function dropCommand(): Command {
  return new Command('drop')
    .description('drop a package, or all, from what was fetched; it is fetched again when it is needed')
    .argument('<name>')
    .argument('[package]')
    .addOption(dataDirOption())
    .action((name: string, dropped: string | undefined, { dataDir }: { dataDir: string }) =>
      withRegistry(dataDir, async (access) => {
        const { id } = await findUpstream(access, name);
        await access.call('upstream.dropCached', {
          upstreamId: id,
          ...(dropped === undefined ? {} : { name: dropped }),
        });
        print(`${dropped ?? 'Everything'} from ${name} was dropped.`);
      }),
    );
}

function reserveCommand(): Command {
  return new Command('reserve')
    .description('show or set the scopes that are never asked at a "*" upstream')
    .argument('[scopes...]', 'all of them, for instance @acme @internal')
    .addOption(dataDirOption())
    .action((scopes: string[], { dataDir }: { dataDir: string }) =>
      withRegistry(dataDir, async ({ call }) => {
        if (scopes.length > 0) await call('upstream.setReservedScopes', { scopes });
        const { reserved, local } = await call('upstream.reservedScopes', {});
        print(`reserved: ${reserved.join(' ') || '-'}`);
        print(`of packages here: ${local.join(' ') || '-'}`);
      }),
    );
}

function withSettings(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'what it is').choices(upstreamKinds.filter((kind) => kind !== 'archive')))
    .option('--scope <scopes...>', 'names that are asked there: @scope, or * for all that no other upstream has')
    .option('--push-url <url>', 'where to publish, if that differs; "" for the same')
    .option('--push <names...>', 'packages and scopes that "gatehouse push" carries there')
    .option('--auto-push', 'carry them by itself whenever it can be reached')
    .option('--no-auto-push', 'only when told to')
    .option('--minimum-age <days>', 'hold versions back that are younger', parseDays)
    .option('--except <names...>', 'names, scopes or NAME@VERSION that may be younger')
    .option('--enabled', 'ask it')
    .option('--no-enabled', 'leave it alone')
    .option('--token-file <file>', 'read its token from a file, "-" for standard input')
    .option('--token-env <variable>', 'read its token from a variable of the environment')
    .addOption(dataDirOption());
}

/** Settings that were given, as the contract names them. A token never stands on the command line, where others can see it. */
function given(options: SettingOptions): Omit<MethodParams<'upstream.update'>, 'upstreamId'> {
  const token = tokenOf(options);
  return {
    ...(options.scope === undefined ? {} : { scopes: options.scope }),
    ...(options.pushUrl === undefined ? {} : { pushUrl: options.pushUrl === '' ? null : options.pushUrl }),
    ...(options.push === undefined ? {} : { pushSelection: options.push }),
    ...(options.autoPush === undefined ? {} : { autoPush: options.autoPush }),
    ...(options.minimumAge === undefined ? {} : { minimumAgeDays: options.minimumAge }),
    ...(options.except === undefined ? {} : { minimumAgeExceptions: options.except }),
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(token === undefined ? {} : { token }),
  };
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
    scopes.join(' ') || '(asked for nothing)',
    enabled ? state.status : 'switched off',
    `${cache.packages} packages, ${cache.tarballs} tarballs, ${(cache.bytes / 1024 / 1024).toFixed(1)} MB`,
  ];
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && days <= 3650) return days;
  throw new InvalidArgumentError('Days are a number from 0 to 3650.');
}

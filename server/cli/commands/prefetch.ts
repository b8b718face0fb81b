import { basename } from 'node:path';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import type { PrefetchJob } from '../../contract/upstream.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, readInput, remark, showProgress } from '../terminal.ts';
import { pollUntil, withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

const isLockfile = /(?:^|[\\/])(?:package-lock|npm-shrinkwrap|pnpm-lock|yarn|bun)[^\\/]*\.(?:json|ya?ml|lock|lockb)$/;

/** `gatehouse prefetch`: fills the cache before the network is gone. */
export function prefetchCommand(): Command {
  return new Command('prefetch')
    .description('cache what a lockfile names, or packages with their dependencies, for work without a network')
    .argument('<what...>', 'lockfiles (npm, pnpm, yarn, bun) or packages (NAME, NAME@RANGE)')
    .addOption(dataDirOption())
    .action((what: string[], { dataDir }: { dataDir: string }) =>
      withRegistry({ dataDir }, async (registry) => {
        const jobs: PrefetchJob[] = [];
        for (const file of what.filter((item) => isLockfile.test(item))) {
          const lockfile = { name: basename(file), content: readInput(file) };
          jobs.push(await follow(registry, await registry.call('upstream.prefetch', { lockfile })));
        }
        const packages = what.filter((item) => !isLockfile.test(item));
        if (packages.length > 0)
          jobs.push(await follow(registry, await registry.call('upstream.prefetch', { packages })));
        const failed = jobs.reduce((sum, job) => sum + job.failures.length, 0);
        const broken = jobs.find((job) => job.error !== null);
        if (broken) throw new GatehouseError('unprocessable', broken.error ?? undefined);
        if (failed > 0) throw new GatehouseError('unprocessable', `${failed} could not be fetched.`);
      }),
    );
}

async function follow({ call }: CommandRegistry, started: PrefetchJob): Promise<PrefetchJob> {
  const job = await pollUntil(async () => {
    const current = await call('upstream.prefetchJob', { jobId: started.id });
    showProgress(`${current.source}: ${current.done} of ${current.total}`);
    return current.state === 'running' ? undefined : current;
  });
  showProgress('');
  print(
    `${job.source}: ${job.done} of ${job.total} are here, ${job.fetched} of them fetched now (${megabytes(job.bytes)}).`,
  );
  for (const { name, version, reason } of job.failures)
    remark(`  ${version === '' ? name : `${name}@${version}`}: ${reason}`);
  return job;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

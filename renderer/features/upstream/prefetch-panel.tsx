import { Button, FileButton } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { upstreamMethods, type PrefetchJob } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { usePrefetchJobs, useUpstreams } from '../../api/upstream.ts';
import { formatBytes, formatCount, plural } from '../../ui/text/format.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { JobCard } from '../../ui/feedback/job-card.tsx';
import { useShownJobs } from '../../ui/feedback/shown-jobs.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { Section } from '../../ui/page/section.tsx';
import { AddRegistryButton } from './add-registry-button.tsx';
import { SelectorField } from './selector-field.tsx';

const packagesSchema = upstreamMethods['upstream.prefetch'].input.options[1];

/** Fetches beforehand what will be needed without a network. Leaving the screen stops nothing. */
export function PrefetchPanel() {
  const jobs = usePrefetchJobs();
  const start = useCall('upstream.prefetch', { handlesErrors: true });
  const retry = useCall('upstream.retryPrefetch', { handlesErrors: true });
  const { mutate: cancel } = useCall('upstream.cancelPrefetch');
  const { shown, dismiss } = useShownJobs(jobs.data ?? [], hasFailures);
  const form = useSchemaForm(
    packagesSchema,
    { packages: [] as string[] },
    {
      required: { packages: 'Enter at least one package.' },
    },
  );
  const [over, setOver] = useState(false);
  const upstreams = useUpstreams();
  const fetchLockfile = async (file: File | null | undefined) => {
    if (!file) return;
    retry.reset();
    start.mutate({ lockfile: { name: file.name, content: await file.text() } });
  };
  const drop = (event: DragEvent<HTMLElement>) => {
    event.preventDefault();
    setOver(false);
    void fetchLockfile(event.dataTransfer.files[0]);
  };
  const error = start.error ?? retry.error;
  if (upstreams.data?.length === 0) {
    return (
      <EmptyState
        icon={<IconFileDownload size={22} />}
        title="Fetch packages before you go offline"
        text="Fetches the packages of a lockfile, or packages with their dependencies, from another registry."
        action={<AddRegistryButton />}
      />
    );
  }
  return (
    <div className="gh-page-body" data-padded>
      <div className="gh-sections">
        <Section title="Lockfile" text="Fetches every package in it, so that the project installs without a network.">
          <div
            className="gh-drop"
            data-over={over || undefined}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <IconFileDownload size={20} aria-hidden="true" />
            <div>
              <strong>Drop a lockfile here</strong>
              <div className="gh-muted">
                <code>package-lock.json</code>, <code>npm-shrinkwrap.json</code>, <code>pnpm-lock.yaml</code>,{' '}
                <code>yarn.lock</code> or <code>bun.lock</code>
              </div>
            </div>
            <span className="gh-spacer" />
            <FileButton
              accept=".json,.yaml,.yml,.lock"
              inputProps={{ 'aria-label': 'Lockfile' }}
              onChange={(file) => void fetchLockfile(file)}
            >
              {(props) => (
                <Button {...props} variant="default" loading={start.isPending}>
                  Choose…
                </Button>
              )}
            </FileButton>
          </div>
        </Section>
        <Section title="Packages" text="Fetches packages with their dependencies.">
          <form
            className="gh-form-row"
            onSubmit={form.submit((values) => {
              retry.reset();
              start.mutate(values, { onSuccess: form.reset });
            })}
          >
            <SelectorField
              label="Names"
              placeholder="e.g. vite, react@^19, @types/node"
              {...form.getInputProps('packages')}
            />
            <Button type="submit" variant="default">
              Fetch
            </Button>
          </form>
        </Section>
        {error ? <ErrorNotice title="Nothing was fetched" error={error} /> : null}
        {jobs.error ? <ErrorNotice error={jobs.error} /> : null}
        {shown.length > 0 ? (
          <section className="gh-jobs" aria-label="Prefetch jobs">
            {shown.map((job) => (
              <JobCard
                key={job.id}
                job={job}
                name={job.source}
                hasProblems={hasFailures(job)}
                progress={prefetchProgress(job)}
                outcome={prefetchOutcome(job)}
                problems={prefetchProblems(job).map(({ subject, reason }) => ({
                  key: subject,
                  text: (
                    <>
                      <strong>{subject}</strong> {reason}
                    </>
                  ),
                }))}
                onCancel={() => cancel({ jobId: job.id })}
                onDismiss={() => dismiss(job)}
                action={
                  canRetry(job) ? (
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={`Try again: ${job.source}`}
                      loading={retry.isPending && retry.variables.jobId === job.id}
                      onClick={() => {
                        start.reset();
                        retry.mutate({ jobId: job.id });
                      }}
                    >
                      Try again
                    </Button>
                  ) : null
                }
              />
            ))}
          </section>
        ) : null}
      </div>
    </div>
  );
}

const hasFailures = (job: PrefetchJob): boolean => job.failures.length > 0;

const canRetry = (job: PrefetchJob): boolean => job.state === 'failed' || (job.state === 'done' && hasFailures(job));

/** The reason that all failures of a prefetch have in common; undefined if there is none. */
function sharedReason({ failures }: PrefetchJob): string | undefined {
  const [first, ...others] = failures;
  return others.length > 0 && others.every(({ reason }) => reason === first?.reason) ? first?.reason : undefined;
}

/** What could not be fetched, and why: without what the outcome says of all, and the title. */
export function prefetchProblems(job: PrefetchJob): { subject: string; reason: string }[] {
  const shared = sharedReason(job);
  const problems = job.failures.map(({ name, version, reason }) => ({
    subject: version === '' ? name : `${name}@${version}`,
    reason: shared === undefined ? reason : '',
  }));
  const areNamed = shared !== undefined && job.source === problems.map(({ subject }) => subject).join(', ');
  return areNamed ? [] : problems;
}

/** How far a prefetch is, in percent; undefined while the total is not known. */
export function prefetchProgress({ total, done, failures }: PrefetchJob): number | undefined {
  return total > 0 ? Math.min(100, ((done + failures.length) / total) * 100) : undefined;
}

/** How far a prefetch is or how it ended, in a sentence. */
export function prefetchOutcome(job: PrefetchJob): string {
  const fetched =
    job.fetched === 0 ? 'none fetched' : `${formatCount(job.fetched)} fetched (${formatBytes(job.bytes)})`;
  const progress = `${formatCount(job.done)} of ${formatCount(job.total)}`;
  if (job.state === 'running') return job.total === 0 ? 'Resolving dependencies…' : `${progress} cached, ${fetched}`;
  if (job.state === 'failed') return job.error ?? 'It failed.';
  if (job.state === 'cancelled') return `Cancelled. ${progress} are cached.`;
  if (job.failures.length > 0) {
    const had = job.done === 0 ? `None of ${plural(job.total, 'package')} fetched.` : `${progress} cached, ${fetched}.`;
    return [job.total === 1 ? 'Not fetched.' : had, sharedReason(job)].filter(Boolean).join(' ');
  }
  const complete = job.fetched === 0 ? `${job.total === 1 ? '' : 'all '}here already` : fetched;
  const installs = job.total === 1 ? 'It installs' : 'They install';
  return `Complete: ${plural(job.total, 'package')}, ${complete}. ${installs} without a network now.`;
}

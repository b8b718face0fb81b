import { Button, FileButton } from '@mantine/core';
import { IconFileDownload } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { useCall } from '../../api/call.ts';
import { usePrefetchJobs } from '../../api/upstream.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PrefetchCard } from './prefetch-card.tsx';
import { SelectorField } from './selector-field.tsx';

/** Fetches beforehand what will be needed without a network. Leaving the screen stops nothing. */
export function PrefetchPanel() {
  const jobs = usePrefetchJobs();
  const start = useCall('upstream.prefetch', { handlesErrors: true });
  const [names, setNames] = useState<string[]>([]);
  const [over, setOver] = useState(false);
  const fetchLockfile = async (file: File | null | undefined) => {
    if (!file) return;
    start.mutate({ lockfile: { name: file.name, content: await file.text() } });
  };
  const drop = (event: DragEvent<HTMLElement>) => {
    event.preventDefault();
    setOver(false);
    void fetchLockfile(event.dataTransfer.files[0]);
  };
  return (
    <div className="gh-page-body gh-scroll" data-padded>
      <div className="gh-sections">
        <section aria-labelledby="prefetch-lockfile">
          <h2 id="prefetch-lockfile">A lockfile</h2>
          <p>Every package that it names is fetched, so that the project installs without a network.</p>
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
                package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock or bun.lock
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
        </section>
        <section aria-labelledby="prefetch-packages">
          <h2 id="prefetch-packages">Packages</h2>
          <p>With all that they depend on, at the versions that an install would choose now.</p>
          <form
            className="gh-form-row"
            onSubmit={(event) => {
              event.preventDefault();
              start.mutate({ packages: names }, { onSuccess: () => setNames([]) });
            }}
          >
            <SelectorField label="Names" placeholder="vite, react@^19, @types/node" value={names} onChange={setNames} />
            <Button type="submit" variant="default" disabled={names.length === 0}>
              Fetch
            </Button>
          </form>
        </section>
        {start.error ? <ErrorNotice title="Nothing was fetched" error={start.error} /> : null}
        {jobs.error ? <ErrorNotice error={jobs.error} /> : null}
        {jobs.data && jobs.data.length > 0 ? (
          <section className="gh-jobs" aria-label="What was fetched beforehand">
            {jobs.data.map((job) => (
              <PrefetchCard key={job.id} job={job} />
            ))}
          </section>
        ) : null}
      </div>
    </div>
  );
}

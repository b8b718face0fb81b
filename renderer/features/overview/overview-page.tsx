import { Link } from '@tanstack/react-router';
import { useBackupSchedule, useJobs } from '../../api/maintenance.ts';
import { useOverview, useServerStatus } from '../../api/overview.ts';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { formatBytes, formatCount } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Page } from '../../ui/page/page.tsx';
import { ShowFolderButton } from '../../ui/forms/show-folder-button.tsx';
import { lastBackupOf } from './last-backup.ts';
import { DayBars } from './day-bars.tsx';
import '../../ui/lists/facts.css';
import './overview.css';

/** Counts, charts, and facts about server and disk. */
export function OverviewPage() {
  const overview = useOverview();
  const status = useServerStatus();
  const schedule = useBackupSchedule();
  const jobs = useJobs();
  const error = overview.error ?? status.error;
  if (overview.data === undefined || status.data === undefined) {
    return (
      <Page title="Overview">
        <Pending what="the overview" error={error} />
      </Page>
    );
  }
  const { data } = overview;
  const lastBackup = lastBackupOf(schedule.data, jobs.data);
  const tiles: [string, string][] = [
    ['Packages', formatCount(data.packages)],
    ['Versions', formatCount(data.versions)],
    ['Projects', formatCount(data.projects)],
    ['People', formatCount(data.users)],
    ['Protected environments', formatCount(data.protectedEnvironments)],
    ['Disk space', formatBytes(data.disk.tarballs + data.disk.database + data.disk.snapshots)],
  ];
  return (
    <Page title="Overview">
      <div className="gh-overview">
        <dl className="gh-tiles">
          {tiles.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className="gh-charts">
          <DayBars
            title="Publishes"
            unit={['publish', 'publishes']}
            days={data.days.map(({ day, publishes }) => ({ day, count: publishes }))}
          />
          <DayBars
            title="Downloads"
            unit={['download', 'downloads']}
            days={data.days.map(({ day, downloads }) => ({ day, count: downloads }))}
          />
        </div>
        <div className="gh-charts">
          <section className="gh-card" aria-labelledby="overview-server">
            <div className="gh-card-head">
              <h2 id="overview-server">Server</h2>
            </div>
            <dl className="gh-facts">
              <dt>Address</dt>
              <dd className="gh-row">
                <span className="gh-mono">{status.data.origin}</span>
                <CopyButton text={status.data.origin} label="Copy the address" />
              </dd>
              <dt>Started</dt>
              <dd className="gh-capital">
                <Moment time={status.data.startedAt} />
                <span className="gh-muted"> · process {status.data.pid}</span>
              </dd>
              <dt>Requests</dt>
              <dd>{formatCount(data.requests)} since the start</dd>
              <dt>Memory</dt>
              <dd>
                {formatBytes(data.memory.process)}
                <span className="gh-muted"> · caches {formatBytes(data.memory.caches)}</span>
              </dd>
              <dt>Version</dt>
              <dd>{status.data.version}</dd>
            </dl>
          </section>
          <section className="gh-card" aria-labelledby="overview-disk">
            <div className="gh-card-head">
              <h2 id="overview-disk">Disk</h2>
              <ShowFolderButton size="compact-xs" />
            </div>
            <dl className="gh-facts">
              <dt>Data folder</dt>
              <dd>
                <span className="gh-mono">
                  <PathText path={status.data.dataDir} />
                </span>
              </dd>
              <dt>Tarballs</dt>
              <dd>{formatBytes(data.disk.tarballs)}</dd>
              <dt>Database</dt>
              <dd>{formatBytes(data.disk.database)}</dd>
              <dt>Snapshots</dt>
              <dd>{formatBytes(data.disk.snapshots)}</dd>
              <dt>Free</dt>
              <dd>{formatBytes(data.disk.free)}</dd>
              <dt>Last backup</dt>
              <dd className="gh-capital">
                {lastBackup === undefined ? (
                  <>
                    <span className="gh-muted">None yet ·</span> <Link to="/backups">Back up…</Link>
                  </>
                ) : (
                  <Moment time={lastBackup} />
                )}
              </dd>
            </dl>
          </section>
        </div>
      </div>
    </Page>
  );
}

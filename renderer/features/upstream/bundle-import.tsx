import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import type { BundleReport } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { useProjects } from '../../api/directory.ts';
import { useTrustedKeys } from '../../api/upstream.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PathField } from '../../ui/path-field.tsx';
import { VirtualTable, type Column } from '../../ui/virtual-table.tsx';
import { bundleExtensions, bundleSummary, countVerdicts, trustTexts, verdictMarks } from './bundle-text.ts';

const entryHeight = 34;

/** Takes packages out of a bundle, after a look at what is in it. */
export function BundleImport() {
  const projects = useProjects();
  const keys = useTrustedKeys();
  const inspect = useCall('bundles.inspect', { handlesErrors: true });
  const take = useCall('bundles.import', { handlesErrors: true });
  const trust = useCall('bundles.setTrustedKeys');
  const [file, setFile] = useState('');
  const [chosen, setChosen] = useState<number>();
  const forget = () => {
    inspect.reset();
    take.reset();
  };
  const projectId = chosen ?? projects.data?.[0]?.id ?? 1;
  const report = take.data ?? inspect.data;
  const count = report ? countVerdicts(report.entries).new : 0;
  // Exactly what was looked at is imported: a file that somebody else signed meanwhile is refused.
  const request = { file: file.trim(), projectId };
  const error = inspect.error ?? take.error;
  return (
    <section aria-labelledby="bundles-import">
      <h2 id="bundles-import">Import</h2>
      <p>Every byte is verified first, and you see what would change. What is here already stays as it is.</p>
      <form
        className="gh-form-row"
        onSubmit={(event) => {
          event.preventDefault();
          take.reset();
          inspect.mutate(request);
        }}
      >
        <PathField
          label="Bundle"
          placeholder="/media/usb/packages.gatehouse"
          kind="file"
          request={{ title: 'Import from', extensions: bundleExtensions }}
          value={file}
          onChange={(value) => {
            setFile(value);
            forget();
          }}
        />
        <Select
          label="Into the project"
          w={170}
          searchable
          allowDeselect={false}
          data={(projects.data ?? []).map((project) => ({ value: String(project.id), label: project.fullPath }))}
          value={String(projectId)}
          onChange={(value) => {
            setChosen(value === null ? undefined : Number(value));
            forget();
          }}
        />
        <Button type="submit" variant="default" disabled={file.trim() === ''} loading={inspect.isPending}>
          Look inside
        </Button>
      </form>
      {error ? (
        <div className="gh-after">
          <ErrorNotice title="Nothing was imported" error={error} />
        </div>
      ) : null}
      {report ? (
        <div className="gh-after gh-bundle">
          <div className="gh-row">
            <strong role="status">{bundleSummary(report)}</strong>
            <span className="gh-faint gh-truncate">
              made <Moment time={report.createdAt} /> by {report.source}, {formatBytes(report.bytes)}
            </span>
            <span className="gh-spacer" />
            {report.applied ? null : (
              <Button
                disabled={count === 0}
                loading={take.isPending}
                onClick={() => take.mutate({ ...request, requireKey: report.keyId })}
              >
                {count === 0 ? 'Nothing to import' : 'Import'}
              </Button>
            )}
          </div>
          <Signature
            report={report}
            onTrust={() => trust.mutate({ keys: [...(keys.data?.trusted ?? []), report.keyId] })}
            trusted={keys.data?.trusted.includes(report.keyId) === true}
          />
          <div className="gh-bundle-entries" style={{ height: 34 + entryHeight * report.entries.length }}>
            <VirtualTable
              label="What is in the bundle"
              rows={report.entries}
              columns={entryColumns}
              rowKey={(entry) => `${entry.name}@${entry.version}`}
              rowHeight={entryHeight}
            />
          </div>
          {report.missing.length > 0 ? (
            <Notice tone="warn" title="Nothing in the bundle satisfies these dependencies">
              <span className="gh-mono">{report.missing.join(', ')}</span>
            </Notice>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

function Signature({ report, trusted, onTrust }: { report: BundleReport; trusted: boolean; onTrust: () => void }) {
  const unknown = report.keyTrust === 'unknown' && !trusted;
  return (
    <Notice
      {...(unknown ? { tone: 'warn' as const } : {})}
      title={trustTexts[trusted ? 'trusted' : report.keyTrust]}
      actions={
        unknown ? (
          <Button variant="default" size="compact-xs" onClick={onTrust}>
            Trust this key from now on
          </Button>
        ) : undefined
      }
    >
      <div className="gh-mono gh-wrap">{report.keyId}</div>
    </Notice>
  );
}

const entryColumns: Column<BundleReport['entries'][number]>[] = [
  {
    key: 'verdict',
    label: 'Compared',
    width: '84px',
    cell: (entry) => <Chip tone={verdictMarks[entry.verdict].tone}>{verdictMarks[entry.verdict].label}</Chip>,
  },
  {
    key: 'name',
    label: 'Version',
    width: 'minmax(0, 1fr)',
    cell: (entry) => (
      <div className="gh-mono gh-truncate">
        {entry.name}@{entry.version}
      </div>
    ),
  },
  {
    key: 'why',
    label: 'What happens',
    width: 'minmax(0, 1fr)',
    cell: (entry) => (
      <div className="gh-muted gh-truncate" title={entry.explanation}>
        {entry.explanation}
      </div>
    ),
  },
  {
    key: 'size',
    label: 'Size',
    width: '70px',
    align: 'end',
    cell: (entry) => <span className="gh-muted">{formatBytes(entry.size)}</span>,
  },
];

import { Button, Loader, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { BundleReport } from '../../../../server/contract/bundles.ts';
import { useCall } from '../../../api/call.ts';
import { useProjects } from '../../../api/directory.ts';
import { useTrustedKeys } from '../../../api/upstream.ts';
import { formatBytes } from '../../../ui/text/format.ts';
import { IdSelect, pathOption } from '../../../ui/forms/id-select.tsx';
import { Moment } from '../../../ui/text/moment.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { PathField } from '../../../ui/forms/path-field.tsx';
import { requiredField } from '../../../ui/forms/use-schema-form.ts';
import { Section } from '../../../ui/page/section.tsx';
import { VirtualTable } from '../../../ui/lists/virtual-table.tsx';
import { entryColumns } from './bundle-columns.tsx';
import { bundleExtensions } from '../../../ui/bundles/export-text.ts';
import { bundleSummary, countVerdicts, trustTexts } from './bundle-text.ts';

const rowHeight = 34;

/** Choose a bundle to see what is in it before you import it. */
export function BundleImport() {
  const projects = useProjects();
  const inspect = useCall('bundles.inspect', { handlesErrors: true });
  const take = useCall('bundles.import', { handlesErrors: true });
  const [file, setFile] = useState('');
  const [chosenProject, setChosenProject] = useState<number | null>(null);
  const projectId = chosenProject ?? projects.data?.[0]?.id ?? 1;
  const preview = (from: string, to: number) => {
    take.reset();
    inspect.reset();
    if (from !== '') inspect.mutate({ file: from, projectId: to });
  };
  const report = take.data ?? inspect.data;
  const columns = useMemo(() => (report ? entryColumns(report) : []), [report]);
  const count = report ? countVerdicts(report.entries).new : 0;
  const error = inspect.error ?? take.error;
  const { data: keys } = useTrustedKeys();
  const isRefused = report?.keyTrust === 'refused' && keys?.trusted.includes(report.keyId) !== true;
  return (
    <Section title="Import" text="You see what is in a bundle before anything is imported.">
      <Stack gap={12}>
        <div data-command="import" className="gh-form-row">
          <PathField
            label="Bundle"
            kind="file"
            {...requiredField}
            request={{ title: 'Import from', extensions: bundleExtensions }}
            value={file}
            onChange={(path) => {
              setFile(path);
              preview(path, projectId);
            }}
          />
          <IdSelect
            label="Project"
            w={170}
            searchable
            options={projects.data?.map(pathOption)}
            value={projectId}
            onChange={(id) => {
              setChosenProject(id);
              preview(file, id ?? projectId);
            }}
          />
        </div>
        {inspect.isPending ? (
          <div className="gh-row gh-muted" role="status">
            <Loader size={14} aria-hidden="true" /> Verifying the bundle…
          </div>
        ) : null}
        {error ? <ErrorNotice title="Nothing was imported" error={error} /> : null}
        {report ? (
          <>
            <div className="gh-row">
              <div style={{ flex: 1, minWidth: 0 }}>
                <strong role="status">{bundleSummary(report)}</strong>
                <div className="gh-faint" style={{ overflowWrap: 'anywhere' }}>
                  {formatBytes(report.bytes)}, made <Moment time={report.createdAt} /> by {report.source}
                </div>
              </div>
              {report.applied ? (
                <ImportedLink entries={report.entries} />
              ) : (
                <Button
                  flex="none"
                  disabled={count === 0 || isRefused}
                  loading={take.isPending}
                  // Only what was inspected is imported: a file signed by another key meanwhile is refused.
                  onClick={() => take.mutate({ file, projectId, requireKey: report.keyId })}
                >
                  {count === 0 ? 'Nothing to import' : 'Import'}
                </Button>
              )}
            </div>
            <Signature report={report} />
            <div className="gh-bundle-entries" style={{ height: rowHeight * (report.entries.length + 1) }}>
              <VirtualTable
                label="Bundle contents"
                rows={report.entries}
                columns={columns}
                rowKey={(entry) => `${entry.name}@${entry.version}`}
                rowHeight={rowHeight}
              />
            </div>
            {report.missing.length > 0 ? (
              <Notice tone="warn" title="Dependencies that are not in the bundle">
                <span className="gh-mono">{report.missing.join(', ')}</span>
              </Notice>
            ) : null}
          </>
        ) : null}
      </Stack>
    </Section>
  );
}

/** Leads to what was imported. */
function ImportedLink({ entries }: Pick<BundleReport, 'entries'>) {
  const names = new Set(
    entries.flatMap(({ verdict, origin, name }) => (verdict === 'new' && origin === 'local' ? [name] : [])),
  );
  const [name] = names;
  if (name === undefined) return null;
  return names.size === 1 ? (
    <Button
      variant="default"
      flex="none"
      renderRoot={(props) => <Link {...props} to="/package-by-name/$name" params={{ name }} />}
    >
      Show the package
    </Button>
  ) : (
    <Button variant="default" flex="none" component={Link} to="/packages">
      Show packages
    </Button>
  );
}

function Signature({ report }: { report: BundleReport }) {
  const { data: keys } = useTrustedKeys();
  const trust = useCall('bundles.setTrustedKeys');
  const trusted = keys?.trusted.includes(report.keyId) === true;
  const unknown = (report.keyTrust === 'unknown' || report.keyTrust === 'refused') && !trusted;
  return (
    <Notice
      {...(unknown ? { tone: 'warn' as const } : {})}
      title={trustTexts[trusted ? 'trusted' : report.keyTrust]}
      actions={
        unknown ? (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => trust.mutate({ keys: [...(keys?.trusted ?? []), report.keyId] })}
          >
            Trust this key
          </Button>
        ) : undefined
      }
    >
      {/* It stands below as the key of this registry. */}
      {report.keyTrust === 'own' ? null : <div className="gh-mono">{report.keyId}</div>}
    </Notice>
  );
}

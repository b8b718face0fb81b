import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReleaseComparison, WaitingRelease } from '../../../server/contract/releases.ts';
import { usePackage } from '../../api/packages.ts';
import { useComparison } from '../../api/releases.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { ChangeTable, type ChangeRow } from '../../ui/lists/change-table.tsx';
import { Section } from '../../ui/page/section.tsx';
import { ChangeMark } from '../../ui/text/change-mark.tsx';
import { formatBytes, formatCount, plural } from '../../ui/text/format.ts';
import { PathText } from '../../ui/text/path-text.tsx';
import { factLabel, factText } from './release-text.ts';

/** More are shown on demand. */
const filesAtFirst = 20;

const nowAndAfter = ['Now', 'After'] as const;

/** How a release differs from what its tag points at now, and what installs pick before and after. */
export function ReleaseChanges({ release }: { release: WaitingRelease }) {
  const { data: changes, error } = useComparison(release.id);
  const { data: pack } = usePackage(release.packageId);
  if (changes === undefined) return <Pending what="the changes" error={error} />;
  const { from, to, installs } = changes;
  const picked = (version: string | null) =>
    pack?.versions.some((each) => each.version === version && each.deprecated !== null) === true
      ? `${version} (deprecated)`
      : (version ?? 'nothing');
  return (
    <>
      <InstallScripts scripts={changes.installScripts} />
      <Section title="What npm install picks">
        <ChangeTable
          label="What npm install picks"
          heads={['Command', ...nowAndAfter]}
          rows={installs.map(({ command, before, after }) => [command, picked(before), picked(after)])}
          mono
        />
      </Section>
      <Section
        title={from === null ? 'Contents' : `Changes from ${from.version} to ${to.version}`}
        text={
          from === null
            ? `${release.tags[0] ?? 'latest'} is not set yet, so there is nothing to compare with.`
            : undefined
        }
      >
        <ChangeTable
          label="Facts"
          heads={['Property', ...nowAndAfter]}
          rows={[
            ['Tarball', from ? formatBytes(from.size) : '–', formatBytes(to.size)],
            ['Unpacked', from ? formatBytes(from.unpackedSize) : '–', formatBytes(to.unpackedSize)],
            ['Files', from ? formatCount(from.fileCount) : '–', formatCount(to.fileCount)],
            ...changes.facts.map(({ name, from: was, to: is }): ChangeRow => [
              factLabel(name),
              factText(was),
              factText(is),
            ]),
          ]}
        />
      </Section>
      {changes.dependencies.length === 0 ? null : (
        <Section title="Dependencies">
          <ChangeTable
            label="Dependencies"
            heads={['Package', ...nowAndAfter]}
            rows={changes.dependencies.map(({ name, kind, from: was, to: is }) => [
              kind === 'dependencies' ? name : `${name} (${kind})`,
              was ?? 'none',
              is ?? 'none',
            ])}
            mono
          />
        </Section>
      )}
      <Files release={release} changes={changes} />
    </>
  );
}

function InstallScripts({ scripts }: { scripts: ReleaseComparison['installScripts'] }) {
  const added = scripts.filter(({ to }) => to !== null);
  if (scripts.length === 0) return null;
  const isNew = added.some(({ from }) => from === null);
  return (
    <Notice
      tone={added.length > 0 ? 'warn' : 'plain'}
      title={isNew ? 'Install scripts added' : added.length > 0 ? 'Install scripts changed' : 'Install scripts removed'}
    >
      {added.length > 0 ? 'They run on every computer that installs this version.' : null}
      <ul className="gh-install-scripts">
        {scripts.map(({ name, from, to }) => (
          <li key={name}>
            <strong>{name}</strong>{' '}
            <code>
              <PathText path={to ?? from ?? ''} />
            </code>
            {from !== null && to !== null ? (
              <div className="gh-muted">
                before:{' '}
                <code>
                  <PathText path={from} />
                </code>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Files({ release, changes: { files, from, to } }: { release: WaitingRelease; changes: ReleaseComparison }) {
  const [all, setAll] = useState(false);
  const rows = [
    ...files.added.map(({ path, size }) => ({ path, change: 'added' as const, text: formatBytes(size) })),
    ...files.removed.map(({ path, size }) => ({ path, change: 'deleted' as const, text: formatBytes(size) })),
    ...files.changed.map(({ path, size, sizeBefore }) => ({
      path,
      change: 'modified' as const,
      text: size === sizeBefore ? formatBytes(size) : `${formatBytes(sizeBefore)} → ${formatBytes(size)}`,
    })),
  ];
  const shown = all ? rows : rows.slice(0, filesAtFirst);
  const { packageId } = release;
  const counts = (['added', 'deleted', 'modified'] as const).flatMap((kind) => {
    const count = rows.filter(({ change }) => change === kind).length;
    return count === 0 ? [] : [`${formatCount(count)} ${kind}`];
  });
  const summary = [...counts, `${formatCount(files.unchanged)} unchanged`].join(', ');
  return (
    <Section title="Files" text={from === null ? undefined : `${summary}.`}>
      {rows.length === 0 ? null : (
        <ul className="gh-changed-files" aria-label="Changed files">
          {shown.map(({ path, change, text }) => (
            <li key={path}>
              <ChangeMark change={change} />
              <span className="gh-mono">
                <PathText path={path} />
              </span>
              <span className="gh-muted gh-small gh-figures">{text}</span>
            </li>
          ))}
        </ul>
      )}
      {shown.length < rows.length ? (
        <Button variant="subtle" color="gray" size="compact-xs" mt={4} onClick={() => setAll(true)}>
          Show all {plural(rows.length, 'file')}
        </Button>
      ) : null}
      {release.kind === 'tag' && packageId !== null && from !== null ? (
        <p className="gh-inbox-more">
          <Anchor
            fz="inherit"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/packages/$packageId/versions/$version"
                params={{ packageId, version: to.version }}
                search={{ tab: 'files', base: from.version }}
              />
            )}
          >
            Compare the files line by line
          </Anchor>
        </p>
      ) : null}
    </Section>
  );
}

import { Loader, Select, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import { tip } from '../../../ui/text/tip.ts';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { useFile, useFiles } from '../../../api/packages.ts';
import { ChangeMark } from '../../../ui/text/change-mark.tsx';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { shownClearButton } from '../../../ui/theme/theme.ts';
import { firstFile, listFiles, type ListedFile } from './file-changes.ts';
import './files-tab.css';

const CodeView = lazy(() => import('./code-view.tsx'));

/** The list of versions is as wide as the longest of them, as they have no places to break. */
const versionOptions = {
  comboboxProps: { shadow: 'md', width: 'max-content', position: 'bottom-start' },
  classNames: { dropdown: 'gh-dropdown gh-version-options' },
} as const;

/** The files of a version that is chosen here. */
export function FilesTab({ pack }: { pack: PackageDetail }) {
  const [version, setVersion] = useState(pack.latest ?? pack.versions[0]?.version);
  const [base, setBase] = useState<string>();
  return <VersionFiles pack={pack} version={version} onVersion={setVersion} base={base} onBase={setBase} />;
}

interface VersionFilesProps {
  pack: PackageDetail;
  version: string | undefined;
  /** Left out where the version is given. */
  onVersion?: (version: string | undefined) => void;
  /** The version it is compared with. */
  base: string | undefined;
  onBase: (base: string | undefined) => void;
}

/** The files of a version, to read, or what changed since another version. */
export function VersionFiles({ pack, version, onVersion, base, onBase }: VersionFilesProps) {
  const [picked, setPicked] = useState<string>();
  const compareId = useId();
  const files = useFiles(pack.id, version);
  const baseFiles = useFiles(pack.id, base);
  const isRead = files.data !== undefined && (base === undefined || baseFiles.data !== undefined);
  const listed = useMemo(
    () => (isRead ? listFiles(files.data ?? [], baseFiles.data) : []),
    [isRead, files.data, baseFiles.data],
  );
  const current = listed.find((file) => file.path === picked) ?? listed.find((file) => file.path === firstFile(listed));
  const versions = pack.versions.map((each) => each.version);
  const deprecated = pack.versions.find((each) => each.version === version)?.deprecated;
  const error = files.error ?? baseFiles.error;
  return (
    <div className="gh-files">
      <div className="gh-files-bar">
        {onVersion === undefined ? null : (
          <Select
            aria-label="Version"
            w={150}
            {...versionOptions}
            searchable
            allowDeselect={false}
            data={versions}
            value={version ?? null}
            onChange={(value) => onVersion(value ?? undefined)}
          />
        )}
        {versions.length < 2 ? null : (
          <div className="gh-row">
            <label className="gh-muted" htmlFor={compareId}>
              Compare with
            </label>
            <Select
              id={compareId}
              aria-label="Compare with"
              placeholder="None"
              w={150}
              {...versionOptions}
              searchable
              clearable
              data={versions.filter((each) => each !== version)}
              value={base ?? null}
              onChange={(value) => onBase(value ?? undefined)}
              clearButtonProps={{ ...shownClearButton, 'aria-label': 'Stop comparing' }}
            />
          </div>
        )}
        {isRead ? (
          <span className="gh-faint">
            {base === undefined
              ? plural(listed.length, 'file')
              : `${plural(listed.length, 'file')} changed from ${base} to ${version}`}
          </span>
        ) : null}
        {deprecated ? (
          <div className="gh-files-deprecated gh-row">
            <IconAlertTriangle size={16} aria-hidden="true" />
            <span className="gh-truncate" {...tip(deprecated)}>
              {/* The page of a version says it beside its title. */}
              {onVersion === undefined ? '' : 'Deprecated: '}
              {deprecated}
            </span>
          </div>
        ) : null}
      </div>
      <nav className="gh-files-list" aria-label="Files">
        {listed.map((file) => (
          <button
            key={file.path}
            type="button"
            className="gh-file"
            aria-current={file.path === current?.path}
            {...tip(`${file.path}, ${formatBytes(file.size)}`)}
            onClick={() => setPicked(file.path)}
          >
            <FileName path={file.path} />
            {file.change === undefined ? (
              <span className="gh-faint">{formatBytes(file.size)}</span>
            ) : (
              <ChangeMark change={file.change} />
            )}
          </button>
        ))}
      </nav>
      <div className="gh-files-view">
        {version === undefined ? null : error || !isRead ? (
          <Pending what="the files" error={error} />
        ) : current === undefined ? (
          <p className="gh-readme-empty">
            {base === undefined ? 'This version has no files.' : 'The files of both versions are the same.'}
          </p>
        ) : (
          <FileView
            key={`${version} ${base} ${current.path}`}
            packageId={pack.id}
            file={current}
            version={version}
            base={base}
          />
        )}
      </div>
    </div>
  );
}

/** A path that gives way in its folders first. */
function FileName({ path }: { path: string }) {
  const folder = path.lastIndexOf('/');
  if (folder === -1) return <span className="gh-file-name gh-truncate">{path}</span>;
  return (
    <>
      {/* The pieces would be read with a break between them. */}
      <VisuallyHidden>{path}</VisuallyHidden>
      <span className="gh-file-name gh-row" aria-hidden="true">
        <TailText text={path} tail={Math.min(22, path.length - folder)} head={1} />
      </span>
    </>
  );
}

interface FileViewProps {
  packageId: number;
  file: ListedFile;
  version: string;
  base: string | undefined;
}

function FileView({ packageId, file, version, base }: FileViewProps) {
  const after = useFile(packageId, version, file.change === 'deleted' ? undefined : file.path);
  const before = useFile(packageId, base, file.change === undefined || file.change === 'added' ? undefined : file.path);
  const error = after.error ?? before.error;
  if (error || after.isLoading || before.isLoading) return <Pending what="the file" error={error} />;
  const withheld = after.data?.withheld ?? before.data?.withheld ?? null;
  if (withheld !== null) {
    return (
      <p className="gh-readme-empty">
        {withheld === 'binary' ? 'Not a text file' : 'Too large to show'}: {formatBytes(file.size)}.
      </p>
    );
  }
  return (
    <Suspense fallback={<Loader size="sm" m={24} aria-label="Opening the file" />}>
      <CodeView
        path={file.path}
        text={after.data?.text ?? ''}
        {...(file.change === undefined ? {} : { base: before.data?.text ?? '' })}
      />
    </Suspense>
  );
}

import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { IconBox, IconCopy, IconFiles, IconTerminal2, IconTrash, IconVersions } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { PackageSummary } from '../../../../server/contract/packages.ts';
import { useProjects } from '../../../api/directory.ts';
import { scopesOf, usePackageMatches, usePackages } from '../../../api/packages.ts';
import { formatCount, plural } from '../../../ui/text/format.ts';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { copyAndSay } from '../../../ui/feedback/toast.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { FilterSelect, NoMatch, SearchField } from '../../../ui/forms/search-field.tsx';
import { VirtualTable } from '../../../ui/lists/virtual-table.tsx';
import { FirstPublish } from './first-publish.tsx';
import { filterPackages, sortPackages, type PackageSortKey } from './filter-packages.ts';
import { packageColumns, widthOfLatest } from './package-columns.tsx';
import { installCommand } from '../page/install-command.ts';
import { useTransfer } from './use-transfer.tsx';
import { useUnpublishPackage } from './use-unpublish-package.tsx';
import type { PackageTab } from '../page/package-tabs.ts';
import { WaitingReleases } from '../versions/waiting-releases.tsx';
import './packages.css';

/** The list of packages, with search, filters and sorting. */
export function PackagesPage() {
  const packages = usePackages();
  const list = packages.data;
  const isRead = list !== undefined;
  useEffect(() => {
    // For `npm run bench:window`. Two frames, as the first may still be drawn without the list.
    if (isRead) requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('packages-shown')));
  }, [isRead]);
  if (list === undefined) {
    return (
      <Page title="Packages">
        <Pending what="the packages" error={packages.error} />
      </Page>
    );
  }
  if (list.length === 0) {
    return (
      <Page title="Packages" band={<WaitingReleases />} padded={false}>
        <FirstPublish />
      </Page>
    );
  }
  return <PackageList packages={list} />;
}

function PackageList({ packages }: { packages: readonly PackageSummary[] }) {
  const address = useSearch({ from: '/packages' });
  const navigate = useNavigate({ from: '/packages' });
  // The field follows each key at once, the list when there is time.
  const [typed, setTyped] = useState(address.q ?? '');
  const search = useDeferredValue(typed.trim());
  // The server, which also searches keywords, is called when the typing pauses.
  const [settled] = useDebouncedValue(search, 200);
  const matches = usePackageMatches(settled);
  const projects = useProjects();
  const changed = useChangedPackages(packages);

  const sort: PackageSortKey = address.sort ?? 'name';
  const descending = address.desc === true;
  const change = (next: { [K in keyof typeof address]?: (typeof address)[K] | undefined }) =>
    navigate({ search: (before) => dropUndefined({ ...before, ...next }), replace: true });

  const sorted = useMemo(() => sortPackages(packages, { sort, descending }), [packages, sort, descending]);
  const rows = useMemo(
    () =>
      filterPackages(sorted, {
        search,
        scope: address.scope,
        projectId: address.project,
        alsoMatching: search === '' || search !== settled || matches.isPlaceholderData ? undefined : matches.data,
      }),
    [sorted, search, settled, address.scope, address.project, matches.data, matches.isPlaceholderData],
  );

  const scopes = useMemo(() => scopesOf(packages), [packages]);
  const severalProjects = (projects.data?.length ?? 0) > 1;
  const filtered = rows.length !== packages.length;

  // The address remembers the search for when the screen is opened again.
  const rememberSearch = useDebouncedCallback((q: string) => void change({ q: q || undefined }), 150);
  const open = async ({ id }: PackageSummary, tab?: PackageTab) => {
    // Before it leaves, the list remembers what was typed a moment ago; later, it would navigate back from the package.
    rememberSearch.cancel();
    if ((address.q ?? '') !== typed.trim()) await change({ q: typed.trim() || undefined });
    await navigate({
      to: '/packages/$packageId',
      params: { packageId: id },
      search: tab === undefined ? {} : { tab },
    });
  };
  // The columns stay the same while one types, or every row would be drawn again.
  const openLatest = useRef(open);
  useEffect(() => {
    openLatest.current = open;
  });
  const unpublish = useUnpublishPackage();
  const { actionsOf: transferOf, dialog: transferDialog } = useTransfer();
  const latestWidth = useMemo(() => widthOfLatest(packages), [packages]);
  const columns = useMemo(
    () =>
      packageColumns({
        showProject: severalProjects,
        latestWidth,
        actions: (pack) => [
          { label: 'Open', icon: IconBox, run: () => void openLatest.current(pack) },
          { label: 'Show versions', icon: IconVersions, run: () => void openLatest.current(pack, 'versions') },
          { label: 'Show files', icon: IconFiles, run: () => void openLatest.current(pack, 'files') },
          { label: 'Copy name', icon: IconCopy, startsGroup: true, run: () => copyAndSay(pack.name) },
          {
            label: 'Copy install command',
            icon: IconTerminal2,
            run: () => copyAndSay(installCommand('npm', pack.name)),
          },
          ...transferOf(pack.name),
          {
            label: 'Unpublish all versions…',
            icon: IconTrash,
            startsGroup: true,
            danger: true,
            run: () => unpublish(pack),
          },
        ],
      }),
    [severalProjects, latestWidth, transferOf, unpublish],
  );

  const setSearch = (value: string) => {
    setTyped(value);
    rememberSearch(value.trim());
  };

  return (
    <Page
      title="Packages"
      count={
        filtered ? `${formatCount(rows.length)} of ${formatCount(packages.length)}` : plural(packages.length, 'package')
      }
      band={<WaitingReleases />}
      padded={false}
      actions={
        <>
          {scopes.length > 1 ? (
            <FilterSelect
              label="Scope"
              all="All scopes"
              width={150}
              data={scopes.map((scope) => ({ value: scope || '-', label: scope || 'No scope' }))}
              value={address.scope === undefined ? undefined : address.scope || '-'}
              onChange={(value) => void change({ scope: value === '-' ? '' : value })}
            />
          ) : null}
          {severalProjects ? (
            <FilterSelect
              label="Project"
              all="All projects"
              width={180}
              data={(projects.data ?? []).map((project) => ({ value: String(project.id), label: project.fullPath }))}
              value={address.project?.toString()}
              onChange={(value) => void change({ project: value === undefined ? undefined : Number(value) })}
            />
          ) : null}
          <SearchField
            label="Search packages"
            value={typed}
            onChange={setSearch}
            onEnter={() => {
              // The list may be a key behind.
              const { scope, project: projectId } = address;
              const isBehind = search !== typed.trim();
              const [first] = isBehind ? filterPackages(sorted, { search: typed.trim(), scope, projectId }) : rows;
              if (first !== undefined) void open(first);
            }}
          />
        </>
      }
    >
      {rows.length === 0 ? (
        <NoMatch
          text="No package matches"
          reset="Show all packages"
          onReset={() => {
            setTyped('');
            void navigate({ search: {}, replace: true });
          }}
        />
      ) : (
        <VirtualTable
          label="Packages"
          memory="packages"
          rows={rows}
          columns={columns}
          rowKey={(pack) => pack.id}
          highlighted={changed}
          sort={{ key: sort, direction: descending ? 'desc' : 'asc' }}
          onSort={(next) => {
            // All columns but the name start with the largest.
            const first = next.key !== sort && next.key !== 'name';
            void change({
              sort: next.key === 'name' ? undefined : (next.key as PackageSortKey),
              desc: first || next.direction === 'desc' || undefined,
            });
          }}
          onOpen={(pack) => void open(pack)}
        />
      )}
      {transferDialog}
    </Page>
  );
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Ids of the packages that were published or changed in the last seconds while the list was on screen. */
function useChangedPackages(packages: readonly PackageSummary[]): ReadonlySet<number> {
  const known = useRef<ReadonlyMap<number, number>>(undefined);
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(packages.map((pack) => [pack.id, pack.publishedAt]));
    if (before === undefined) return;
    const now = packages.filter((pack) => before.get(pack.id) !== pack.publishedAt);
    if (now.length > 0) setChanged(new Set(now.map((pack) => pack.id)));
  }, [packages]);
  useEffect(() => {
    if (changed.size === 0) return;
    const timer = setTimeout(() => setChanged(new Set()), 2500);
    return () => clearTimeout(timer);
  }, [changed]);
  return changed;
}

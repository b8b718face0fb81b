import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { PackageSummary } from '../../../server/contract/packages.ts';
import { useProjects } from '../../api/directory.ts';
import { scopesOf, usePackageMatches, usePackages } from '../../api/packages.ts';
import { plural } from '../../ui/format.ts';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { FilterSelect, NoMatch, SearchField } from '../../ui/search-field.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { FirstPublish } from './first-publish.tsx';
import { filterPackages, sortPackages, type PackageSortKey } from './filter-packages.ts';
import { packageColumns } from './package-columns.tsx';
import { StagedVersions, type StagedVersionsProps } from './staged-versions.tsx';
import { useFreshPackages } from './use-fresh-packages.ts';
import './packages.css';

/** Every package of the registry: live, searched as one types, sorted, and as fast with ten thousand as with ten. */
export function PackagesPage() {
  const packages = usePackages();
  // The first version that is published from there brings another screen, with the rest still to be looked over.
  const [reviewing, setReviewing] = useState(false);
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
      <Page title="Packages" padded={false}>
        <StagedVersions reviewing={reviewing} onReview={setReviewing} />
        <FirstPublish />
      </Page>
    );
  }
  return <PackageList packages={list} reviewing={reviewing} onReview={setReviewing} />;
}

interface PackageListProps extends StagedVersionsProps {
  packages: readonly PackageSummary[];
}

function PackageList({ packages, ...review }: PackageListProps) {
  const address = useSearch({ from: '/packages' });
  const navigate = useNavigate({ from: '/packages' });
  // The field answers to each key at once; the list follows as soon as it can.
  const [typed, setTyped] = useState(address.q ?? '');
  const search = useDeferredValue(typed.trim());
  // What only the server knows (keywords) is asked once the typing pauses.
  const [settled] = useDebouncedValue(search, 200);
  const matches = usePackageMatches(settled);
  const projects = useProjects();
  const fresh = useFreshPackages(packages);

  const sort: PackageSortKey = address.sort ?? 'name';
  const descending = address.desc === true;
  const change = (next: { [K in keyof typeof address]?: (typeof address)[K] | undefined }) =>
    void navigate({ search: (before) => dropUndefined({ ...before, ...next }), replace: true });

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
  const columns = useMemo(() => packageColumns({ showProject: severalProjects }), [severalProjects]);
  const filtered = rows.length !== packages.length;

  // The address only has to know by the time one leaves and comes back.
  const rememberSearch = useDebouncedCallback((q: string) => change({ q: q === '' ? undefined : q }), 150);
  const setSearch = (value: string) => {
    setTyped(value);
    rememberSearch(value.trim());
  };

  return (
    <Page
      title="Packages"
      count={filtered ? `${rows.length} of ${packages.length}` : plural(packages.length, 'package')}
      padded={false}
      actions={
        <div className="gh-toolbar">
          {scopes.length > 1 ? (
            <FilterSelect
              label="Scope"
              all="All scopes"
              width={150}
              data={scopes.map((scope) => ({ value: scope || '-', label: scope || 'No scope' }))}
              value={address.scope === undefined ? undefined : address.scope || '-'}
              onChange={(value) => change({ scope: value === '-' ? '' : value })}
            />
          ) : null}
          {severalProjects ? (
            <FilterSelect
              label="Project"
              all="All projects"
              data={(projects.data ?? []).map((project) => ({ value: String(project.id), label: project.fullPath }))}
              value={address.project?.toString()}
              onChange={(value) => change({ project: value === undefined ? undefined : Number(value) })}
            />
          ) : null}
          <SearchField label="Search packages" value={typed} onChange={setSearch} />
        </div>
      }
    >
      <div className="gh-packages">
        <StagedVersions {...review} />
        <div className="gh-packages-rows">
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
              fresh={fresh}
              sort={{ key: sort, direction: descending ? 'desc' : 'asc' }}
              onSort={(next) => {
                // Newest, largest and most first is what one wants to see of everything but names.
                const first = next.key !== sort && next.key !== 'name';
                change({
                  sort: next.key === 'name' ? undefined : (next.key as PackageSortKey),
                  desc: first || next.direction === 'desc' || undefined,
                });
              }}
              onOpen={(pack) => {
                // Remembered after the package is on its way, the search would call it back.
                rememberSearch.flush();
                void navigate({ to: '/packages/$packageId', params: { packageId: pack.id } });
              }}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function dropUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

import { Button } from '@mantine/core';
import { IconPackageImport, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { CachedPackage, Upstream } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { useCachedPackages, useUpstreams } from '../../api/upstream.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { actionsColumn, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { formatBytes, formatCount, plural } from '../../ui/text/format.ts';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { AddRegistryButton } from './add-registry-button.tsx';

/** What was fetched from other registries and is served without them. */
export function CachePanel() {
  const { of } = useSearch({ from: '/upstream' });
  const navigate = useNavigate({ from: '/upstream' });
  const { data: upstreams = [] } = useUpstreams();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const cached = useCachedPackages(search, of);
  const { mutate: drop } = useCall('upstream.dropCached');
  const rows = useMemo(() => cached.data?.pages.flatMap((page) => page.packages), [cached.data]);
  const columns = useMemo(() => {
    const confirmDrop = (pack: CachedPackage) =>
      ask({
        title: `Remove ${quoted(pack.name)} from the cache?`,
        consequence: `It is fetched from ${pack.upstream} again on the next request. Until then it cannot be installed offline.`,
        action: 'Remove',
        run: () => drop({ upstreamId: pack.upstreamId, name: pack.name }),
      });
    const actions = actionsColumn<CachedPackage>(
      (pack) => pack.name,
      (pack) => [{ label: 'Remove…', icon: IconTrash, danger: true, run: () => confirmDrop(pack) }],
    );
    return [...cachedColumns, actions];
  }, [drop]);
  const confirmDropAll = ({ id, name, cache }: Upstream) =>
    ask({
      title: `Remove everything of ${quoted(name)} from the cache?`,
      consequence: `This removes ${plural(cache.packages, 'package')} (${formatBytes(cache.bytes)}). ${cache.packages === 1 ? 'It is' : 'They are'} fetched again on the next request; until then ${cache.packages === 1 ? 'it' : 'they'} cannot be installed offline.`,
      action: 'Remove all',
      run: () => drop({ upstreamId: id }),
    });
  const chosen = upstreams.find((upstream) => upstream.id === of);
  if (rows?.length === 0 && search === '' && of === undefined) {
    return (
      <EmptyState
        icon={<IconPackageImport size={22} />}
        title="The cache is empty"
        text="Packages fetched from other registries are kept here, so that they can be installed again offline."
        action={
          upstreams.length === 0 ? (
            <AddRegistryButton />
          ) : (
            <Button variant="default" onClick={() => void navigate({ search: { tab: 'prefetch' } })}>
              Prefetch a lockfile
            </Button>
          )
        }
      />
    );
  }
  return (
    <ListPanel
      bar={
        <>
          <SearchField label="Search the cache" value={typed} onChange={setTyped} />
          <IdSelect
            aria-label="Registry"
            none="All registries"
            w={340}
            options={upstreams.map(({ id, name }) => ({ id, label: name }))}
            value={of}
            onChange={(id) => void navigate({ search: { tab: 'cache', ...(id ? { of: id } : {}) }, replace: true })}
          />
          <span className="gh-faint">{plural(cached.data?.pages[0]?.total ?? 0, 'package')}</span>
          <span className="gh-spacer" />
          {chosen && chosen.cache.packages > 0 ? (
            <Button variant="default" onClick={() => confirmDropAll(chosen)}>
              Remove all…
            </Button>
          ) : null}
        </>
      }
      what="the cache"
      error={cached.error}
      empty="No package matches"
      label="Cached packages"
      rows={rows}
      columns={columns}
      rowKey={(pack) => `${pack.upstreamId} ${pack.name}`}
      onEndReached={() => {
        if (cached.hasNextPage && !cached.isFetchingNextPage) void cached.fetchNextPage();
      }}
    />
  );
}

const cachedColumns: Column<CachedPackage>[] = [
  wideColumn('Name', (pack) => (
    <div className="gh-row">
      <strong className="gh-mono gh-truncate">
        <TailText text={pack.name} tail={16} />
      </strong>
    </div>
  )),
  textColumn('Registry', 'minmax(110px, 0.5fr)', (pack) => pack.upstream),
  textColumn(
    'Cached versions',
    '118px',
    (pack) => `${formatCount(pack.cachedVersions.length)} of ${formatCount(pack.versionCount)}`,
    { align: 'end', detail: (pack) => pack.cachedVersions.join(', ') || 'Only the list of versions is cached' },
  ),
  textColumn('Size', '76px', (pack) => formatBytes(pack.bytes), { align: 'end', hideBelow: 600 }),
  timeColumn('Checked', '120px', (pack) => pack.validatedAt, { align: 'end', hideBelow: 760 }),
];

import { Button, Select, TextInput } from '@mantine/core';
import { IconPackageImport, IconSearch } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { CachedPackage } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { useCachedPackages, useUpstreams } from '../../api/upstream.ts';
import { ask } from '../../ui/ask.tsx';
import { Chip } from '../../ui/chip.tsx';
import { clearButton } from '../../ui/clear-button.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { Pending } from '../../ui/pending.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { VirtualTable, type Column } from '../../ui/virtual-table.tsx';

/** What was fetched from other registries and is served without them. */
export function CachePanel() {
  const { of } = useSearch({ from: '/upstream' });
  const navigate = useNavigate({ from: '/upstream' });
  const upstreams = useUpstreams();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const cached = useCachedPackages(search, of);
  const { mutate: drop } = useCall('upstream.dropCached');
  const rows = useMemo(() => cached.data?.pages.flatMap((page) => page.packages), [cached.data]);
  const columns = useMemo(
    () =>
      cachedColumns((pack) =>
        ask({
          title: `Drop ${pack.name}?`,
          consequence: `It is fetched from ${pack.upstream} again when somebody asks for it. Until then it cannot be installed offline.`,
          action: 'Drop',
          run: () => drop({ upstreamId: pack.upstreamId, name: pack.name }),
        }),
      ),
    [drop],
  );
  const chosen = upstreams.data?.find((upstream) => upstream.id === of);
  if (rows?.length === 0 && search === '' && of === undefined) {
    return (
      <div className="gh-page-body gh-scroll">
        <EmptyState
          icon={<IconPackageImport size={22} />}
          title="Nothing is kept yet"
          text="Whatever clients install through this registry is kept with its integrity verified, and installs again without a network. Prefetch a lockfile to have everything before you leave."
          action={
            <Button variant="default" onClick={() => void navigate({ search: { tab: 'prefetch' } })}>
              Prefetch a lockfile
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <>
      <div className="gh-panel-bar">
        <TextInput
          type="search"
          data-find
          aria-label="Search what is kept"
          placeholder="Search"
          w={220}
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          aria-label="Registry"
          placeholder="All registries"
          clearable
          w={160}
          data={(upstreams.data ?? []).map((upstream) => ({ value: String(upstream.id), label: upstream.name }))}
          value={of === undefined ? null : String(of)}
          onChange={(value) =>
            void navigate({ search: { tab: 'cache', ...(value === null ? {} : { of: Number(value) }) }, replace: true })
          }
          clearButtonProps={clearButton('All registries')}
        />
        <span className="gh-faint">{plural(cached.data?.pages[0]?.total ?? 0, 'package')}</span>
        <span className="gh-spacer" />
        {chosen && chosen.cache.packages > 0 ? (
          <Button
            variant="default"
            onClick={() =>
              ask({
                title: `Drop everything from ${chosen.name}?`,
                consequence: `${plural(chosen.cache.packages, 'package')} with ${formatBytes(chosen.cache.bytes)} go. They are fetched again when somebody asks for them; until then they cannot be installed offline.`,
                action: 'Drop all',
                run: () => drop({ upstreamId: chosen.id }),
              })
            }
          >
            Drop all…
          </Button>
        ) : null}
      </div>
      <div className="gh-panel-body">
        {cached.error || rows === undefined ? (
          <Pending what="what is kept" error={cached.error} />
        ) : rows.length === 0 ? (
          <div className="gh-no-match" role="status">
            <strong>No package matches</strong>
          </div>
        ) : (
          <VirtualTable
            label="Kept packages"
            rows={rows}
            columns={columns}
            rowKey={(pack) => `${pack.upstreamId} ${pack.name}`}
            onEndReached={() => {
              if (cached.hasNextPage && !cached.isFetchingNextPage) void cached.fetchNextPage();
            }}
          />
        )}
      </div>
    </>
  );
}

function cachedColumns(drop: (pack: CachedPackage) => void): Column<CachedPackage>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (pack) => (
        <div className="gh-package-name">
          <span className="gh-mono gh-truncate">{pack.name}</span>
          {pack.cachedVersions.length === 0 ? (
            <Chip title="Its list of versions is here, but none of them">No version here</Chip>
          ) : null}
        </div>
      ),
    },
    {
      key: 'upstream',
      label: 'From',
      width: '110px',
      cell: (pack) => <div className="gh-truncate gh-muted">{pack.upstream}</div>,
    },
    {
      key: 'versions',
      label: 'Versions here',
      width: '118px',
      align: 'end',
      cell: (pack) => (
        <span className="gh-muted" title={pack.cachedVersions.join(', ')}>
          {formatCount(pack.cachedVersions.length)} of {formatCount(pack.versionCount)}
        </span>
      ),
    },
    {
      key: 'size',
      label: 'Size',
      width: '76px',
      align: 'end',
      hideBelow: 600,
      cell: (pack) => <span className="gh-muted">{formatBytes(pack.bytes)}</span>,
    },
    {
      key: 'validatedAt',
      label: 'Checked',
      width: '120px',
      align: 'end',
      hideBelow: 680,
      cell: (pack) => (
        <span className="gh-muted">
          <Moment time={pack.validatedAt} />
        </span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (pack) => <RowMenu name={pack.name} actions={[{ label: 'Drop…', danger: true, run: () => drop(pack) }]} />,
    },
  ];
}

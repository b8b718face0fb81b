import { Button } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useOffline } from '../../api/upstream.ts';
import { Page } from '../../ui/page/page.tsx';
import { PageTabs } from '../../ui/page/page-tabs.tsx';
import { BundlesPanel } from './bundles/bundles-panel.tsx';
import { CachePanel } from './cache-panel.tsx';
import { OfflineMenu } from './offline-menu.tsx';
import { offlineModes } from './offline-text.ts';
import { OutboxPanel } from './outbox/outbox-panel.tsx';
import { PrefetchPanel } from './prefetch-panel.tsx';
import { RegistriesPanel } from './registries/registries-panel.tsx';
import { UnsentMark } from './unsent-mark.tsx';
import { upstreamTabs, type UpstreamTab } from './upstream-tabs.ts';
import './upstream.css';

const labels: Record<UpstreamTab, string> = {
  registries: 'Registries',
  cache: 'Cache',
  prefetch: 'Prefetch',
  outbox: 'Outbox',
  bundles: 'Bundles',
};
const panels = {
  registries: RegistriesPanel,
  cache: CachePanel,
  prefetch: PrefetchPanel,
  outbox: OutboxPanel,
  bundles: BundlesPanel,
} as const;
const marks = { outbox: UnsentMark };

/** Other registries: what comes from them, what goes to them, and working without them. */
export function UpstreamPage() {
  const { tab = 'registries' } = useSearch({ from: '/upstream' });
  const navigate = useNavigate({ from: '/upstream' });
  return (
    <Page title="Upstream" padded={false} actions={<OfflineSwitch />}>
      <PageTabs
        label="Upstream"
        tabs={upstreamTabs}
        labels={labels}
        marks={marks}
        panels={panels}
        current={tab}
        onChange={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
      />
    </Page>
  );
}

/** In the header: the mode by its name, and the menu of all. */
function OfflineSwitch() {
  const { data: offline } = useOffline();
  if (offline === undefined) return null;
  const label = offlineModes.find(({ value }) => value === offline.mode)?.label ?? '';
  return (
    <OfflineMenu
      position="bottom-end"
      mode={offline.mode}
      button={
        <Button variant="default" rightSection={<IconSelector size={15} aria-hidden="true" />}>
          Network: {label}
        </Button>
      }
    />
  );
}

import { Button, Loader, Tabs, VisuallyHidden } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { PackageDetail, VersionDetail } from '../../../../server/contract/packages.ts';
import { CallFailed } from '../../../api/call.ts';
import { usePackage, useVersion } from '../../../api/packages.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { Chip } from '../../../ui/text/chip.tsx';
import { VersionFiles } from '../files/files-tab.tsx';
import { BackToPackage, BackToPackages } from '../page/back-links.tsx';
import { DependenciesTab } from '../page/dependencies-tab.tsx';
import '../page/package-page.css';
import { useVersionActions } from '../versions/version-actions.tsx';
import { DistributionTab } from './distribution-tab.tsx';
import { TarballButtons } from './tarball-buttons.tsx';
import { VersionAside } from './version-aside.tsx';
import { versionTabs, type VersionTab } from './version-tabs.ts';

const Readme = lazy(() => import('../readme/readme.tsx'));

const tabLabels: Record<VersionTab, string> = {
  readme: 'Readme',
  files: 'Files',
  dependencies: 'Dependencies',
  distribution: 'Distribution',
};

/** One version of a package: README, files, dependencies, and how it is distributed. */
export function VersionPage() {
  const { packageId, version: wanted } = useParams({ from: '/packages/$packageId/versions/$version' });
  const navigate = useNavigate();
  const pack = usePackage(packageId);
  const version = useVersion(packageId, wanted);
  const error = pack.error ?? version.error;
  if (error instanceof CallFailed && error.code === 'package_not_found') {
    return (
      <Page title={wanted} back={pack.data ? <BackToPackage pack={pack.data} /> : <BackToPackages />}>
        <EmptyState
          icon={<IconPackageOff size={24} />}
          title="This version is gone"
          text="It was unpublished."
          action={
            pack.data === undefined ? undefined : (
              <Button
                variant="default"
                onClick={() =>
                  void navigate({ to: '/packages/$packageId', params: { packageId }, search: { tab: 'versions' } })
                }
              >
                Show the other versions
              </Button>
            )
          }
        />
      </Page>
    );
  }
  if (pack.data === undefined || version.data === undefined) {
    return (
      <Page title={wanted} back={<BackToPackages />}>
        <Pending what="the version" error={error} />
      </Page>
    );
  }
  return <VersionView pack={pack.data} version={version.data} />;
}

function VersionView({ pack, version }: { pack: PackageDetail; version: VersionDetail }) {
  const { tab = 'readme', base } = useSearch({ from: '/packages/$packageId/versions/$version' });
  const navigate = useNavigate({ from: '/packages/$packageId/versions/$version' });
  const { actionsOf, dialogs } = useVersionActions(pack);
  const listed = pack.versions.find((each) => each.version === version.version);
  return (
    <Page
      title={`${pack.name} ${version.version}`}
      padded={false}
      back={<BackToPackage pack={pack} />}
      heading={
        <span className="gh-mono gh-row">
          <VisuallyHidden>{pack.name} </VisuallyHidden>
          <TailText text={version.version} tail={14} />
        </span>
      }
      count={version.deprecated === null ? null : <Chip tone="warn">Deprecated</Chip>}
      actions={
        <>
          <TarballButtons subject={{ packageId: pack.id, version: version.version }} />
          {listed === undefined ? null : <RowMenu name={version.version} actions={actionsOf(listed)} />}
        </>
      }
    >
      <div className="gh-package">
        <div className="gh-package-main">
          <Tabs
            classNames={{ root: 'gh-package-tabs', panel: 'gh-package-panel' }}
            value={tab}
            onChange={(value) =>
              void navigate({
                search: value === 'readme' || value === null ? {} : { tab: value as VersionTab },
                replace: true,
              })
            }
            keepMounted={false}
          >
            <Tabs.List aria-label={`${pack.name} ${version.version}`}>
              {versionTabs.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {tabLabels[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="readme" tabIndex={0}>
              {version.deprecated === null ? null : (
                <div className="gh-readme-empty">
                  <Notice tone="warn" title="Deprecated">
                    {version.deprecated}
                  </Notice>
                </div>
              )}
              {version.readme.trim() === '' ? (
                <p className="gh-readme-empty">This version has no README.</p>
              ) : (
                <Suspense fallback={<Loader size="sm" m={24} aria-label="Rendering the README" />}>
                  <Readme markdown={version.readme} />
                </Suspense>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="files">
              <VersionFiles
                pack={pack}
                version={version.version}
                base={base}
                onBase={(chosen) =>
                  void navigate({
                    search: { tab: 'files', ...(chosen === undefined ? {} : { base: chosen }) },
                    replace: true,
                  })
                }
              />
            </Tabs.Panel>
            <Tabs.Panel value="dependencies">
              <DependenciesTab packageId={pack.id} version={version.version} />
            </Tabs.Panel>
            <Tabs.Panel value="distribution" tabIndex={0}>
              <DistributionTab version={version} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <VersionAside pack={pack} version={version} />
      </div>
      {dialogs}
    </Page>
  );
}

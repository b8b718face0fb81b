import { Loader, Tabs } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { CallFailed } from '../../../api/call.ts';
import { usePackage } from '../../../api/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { BackToPackages } from './back-links.tsx';
import { DependenciesTab } from './dependencies-tab.tsx';
import { FilesTab } from '../files/files-tab.tsx';
import { PackageAside } from './package-aside.tsx';
import { PackageMenu } from '../list/package-menu.tsx';
import { packageTabs, type PackageTab } from './package-tabs.ts';
import { WaitingReleases } from '../versions/waiting-releases.tsx';
import { VersionTable } from '../versions/version-table.tsx';
import './package-page.css';

// Parser, sanitiser and highlighter are large, and only this tab needs them.
const Readme = lazy(() => import('../readme/readme.tsx'));

const tabLabels = { readme: 'Readme', versions: 'Versions', files: 'Files', dependencies: 'Dependencies' } as const;

/** One package: README, versions, dist-tags and how to install it. */
export function PackagePage() {
  const { packageId } = useParams({ from: '/packages/$packageId' });
  const { data: pack, error } = usePackage(packageId);
  if (error instanceof CallFailed && error.code === 'package_not_found') {
    return (
      <Page title="Package" back={<BackToPackages />}>
        <EmptyState
          icon={<IconPackageOff size={24} />}
          title="This package is gone"
          text="It was unpublished, or its project was deleted."
        />
      </Page>
    );
  }
  if (pack === undefined) {
    return (
      <Page title="Package" back={<BackToPackages />}>
        <Pending what="the package" error={error} />
      </Page>
    );
  }
  return <PackageView pack={pack} />;
}

function PackageView({ pack }: { pack: PackageDetail }) {
  const { tab = 'readme' } = useSearch({ from: '/packages/$packageId' });
  const navigate = useNavigate({ from: '/packages/$packageId' });
  const latest = pack.versions.find((version) => version.version === pack.latest);
  return (
    <Page
      title={pack.name}
      padded={false}
      back={<BackToPackages />}
      heading={
        <span className="gh-mono gh-row">
          <TailText text={pack.name} tail={20} />
        </span>
      }
      count={pack.latest === null ? undefined : `latest ${pack.latest}`}
      band={<WaitingReleases name={pack.name} projectId={pack.projectId} />}
      actions={
        <>
          {pack.deprecated ? <Chip tone="warn">Deprecated</Chip> : null}
          <Chip detail={`Project ${pack.projectPath}`}>{pack.projectPath}</Chip>
          <PackageMenu pack={pack} />
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
                search: value === 'readme' || value === null ? {} : { tab: value as PackageTab },
                replace: true,
              })
            }
            keepMounted={false}
          >
            <Tabs.List aria-label={pack.name}>
              {packageTabs.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {tabLabels[each]}
                  {each === 'versions' ? (
                    <span className="gh-tab-count"> {formatCount(pack.versions.length)}</span>
                  ) : null}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="readme" tabIndex={0}>
              {latest?.deprecated ? (
                <div className="gh-readme-empty">
                  <Notice tone="warn" title="Deprecated">
                    {latest.deprecated}
                  </Notice>
                </div>
              ) : null}
              {pack.readme.trim() === '' ? (
                <p className="gh-readme-empty">
                  This version has no README. npm publishes the README.md of the package folder.
                </p>
              ) : (
                <Suspense fallback={<Loader size="sm" m={24} aria-label="Rendering the README" />}>
                  <Readme markdown={pack.readme} />
                </Suspense>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="files">
              <FilesTab pack={pack} />
            </Tabs.Panel>
            <Tabs.Panel value="dependencies">
              <DependenciesTab packageId={pack.id} version={pack.latest ?? pack.versions[0]?.version ?? ''} />
            </Tabs.Panel>
            <Tabs.Panel value="versions">
              <VersionTable pack={pack} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <PackageAside pack={pack} />
      </div>
    </Page>
  );
}

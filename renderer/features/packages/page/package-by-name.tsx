import { Button } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { usePackages } from '../../../api/packages.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { Page } from '../../../ui/page/page.tsx';
import '../../../ui/lists/list.css';

/** Opens the package of a name; a list to choose from where several projects have one. */
export function PackageByName() {
  const { name } = useParams({ from: '/package-by-name/$name' });
  const navigate = useNavigate();
  const { data: packages, error } = usePackages();
  if (packages === undefined) {
    return (
      <Page title={name}>
        <Pending what="the packages" error={error} />
      </Page>
    );
  }
  const found = packages.filter((pack) => pack.name === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    return <Navigate to="/packages/$packageId" params={{ packageId: only.id }} replace />;
  }
  return (
    <Page title={name} heading={<span className="gh-mono">{name}</span>}>
      {only === undefined ? (
        <EmptyState
          icon={<IconPackageOff size={24} />}
          title="There is no package of this name"
          text="It may have been unpublished, or the link is for another registry."
          action={
            <Button variant="default" onClick={() => void navigate({ to: '/packages' })}>
              Show all packages
            </Button>
          }
        />
      ) : (
        <ul className="gh-list gh-column" aria-label={`Projects that have ${name}`}>
          {found.map((pack) => (
            <li key={pack.id}>
              <Link to="/packages/$packageId" params={{ packageId: pack.id }}>
                {pack.projectPath}
              </Link>
              <span className="gh-muted">{pack.latest ?? ''}</span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

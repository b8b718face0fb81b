import { Anchor, Group } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';

const look = { c: 'dimmed', fz: 'var(--gh-text-lg)', fw: 500, underline: 'never' } as const;

/** The way back from a package to the list. */
export function BackToPackages() {
  return (
    <Anchor component={Link} to="/packages" {...look}>
      <Group gap={4} wrap="nowrap" mr={-6}>
        Packages
        <IconChevronRight size={14} aria-hidden="true" />
      </Group>
    </Anchor>
  );
}

/** The way back from a version to its package. */
export function BackToPackage({ pack }: { pack: PackageDetail }) {
  return (
    <>
      <BackToPackages />
      <Anchor
        {...look}
        miw={0}
        renderRoot={(props) => (
          <Link {...props} to="/packages/$packageId" params={{ packageId: pack.id }} search={{ tab: 'versions' }} />
        )}
      >
        <Group gap={4} wrap="nowrap" mr={-6}>
          <span className="gh-mono gh-row">
            <TailText text={pack.name} tail={20} />
          </span>
          <IconChevronRight size={14} aria-hidden="true" style={{ flex: 'none' }} />
        </Group>
      </Anchor>
    </>
  );
}

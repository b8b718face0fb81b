import { SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Snippet } from '../../../ui/text/snippet.tsx';
import { installCommand, packageManagers, type PackageManager } from './install-command.ts';

const labels: Record<PackageManager, string> = { npm: 'npm', pnpm: 'pnpm', yarn: 'Yarn', bun: 'Bun' };

/** How to install a package, or one version of it, with each client. */
export function InstallSection({ name, version }: { name: string; version?: string }) {
  const [manager, setManager] = useState<PackageManager>('npm');
  return (
    <section aria-label="Install">
      <h2 className="gh-aside-heading">Install</h2>
      <SegmentedControl
        fullWidth
        aria-label="Package manager"
        mb={8}
        data={packageManagers.map((value) => ({ value, label: labels[value] }))}
        value={manager}
        onChange={(value) => setManager(value)}
      />
      <Snippet code={installCommand(manager, name, version)} copyLabel="Copy the install command" />
      <p className="gh-aside-note">
        In a new folder, <Link to="/connect">point npm here</Link> first.
      </p>
    </section>
  );
}

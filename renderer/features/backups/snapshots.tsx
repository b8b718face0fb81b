import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { useSnapshots } from '../../api/maintenance.ts';
import { ask } from '../../ui/ask.tsx';
import { Chip } from '../../ui/chip.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';

/** States of the registry to go back to: before a demo, before a try. */
export function Snapshots() {
  const snapshots = useSnapshots();
  const create = useCall('maintenance.createSnapshot', { handlesErrors: true });
  const { mutate: restore } = useCall('maintenance.restoreSnapshot');
  const { mutate: drop } = useCall('maintenance.dropSnapshot');
  const [name, setName] = useState('');
  const list = snapshots.data ?? [];
  return (
    <section aria-labelledby="backups-snapshots">
      <h2 id="backups-snapshots">Snapshots</h2>
      <p>A moment of this registry to go back to while it serves. It takes little room, and stays on this disk.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ name: name.trim() }, { onSuccess: () => setName('') });
        }}
      >
        <TextInput
          className="gh-grow"
          label="Name"
          placeholder="before-the-demo"
          spellCheck={false}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={name.trim() === ''} loading={create.isPending}>
          Take a snapshot
        </Button>
      </form>
      {create.error ? <ErrorNotice error={create.error} /> : null}
      {snapshots.error ? <ErrorNotice error={snapshots.error} /> : null}
      {list.length > 0 ? (
        <ul className="gh-backup-list" aria-label="Snapshots">
          {list.map((snapshot) => (
            <li key={snapshot.name}>
              <strong className="gh-truncate">{snapshot.name}</strong>
              {snapshot.automatic ? (
                <Chip title="Made before going back, as the way forward again">Automatic</Chip>
              ) : null}
              <span className="gh-muted gh-truncate">
                {plural(snapshot.versions, 'version')}, {formatBytes(snapshot.size)}
              </span>
              <span className="gh-spacer" />
              <span className="gh-muted">
                <Moment time={snapshot.createdAt} />
              </span>
              <RowMenu
                name={snapshot.name}
                actions={[
                  {
                    label: 'Go back to it…',
                    run: () =>
                      ask({
                        title: `Go back to ${snapshot.name}?`,
                        consequence:
                          'Packages, tags, people and rules become what they were then. The present state is kept as the snapshot before-rewind.',
                        action: 'Go back',
                        run: () => restore({ name: snapshot.name }),
                      }),
                  },
                  {
                    label: 'Delete…',
                    danger: true,
                    run: () =>
                      ask({
                        title: `Delete ${snapshot.name}?`,
                        consequence: 'The registry stays as it is; there is just no way back to that moment.',
                        action: 'Delete',
                        run: () => drop({ name: snapshot.name }),
                      }),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

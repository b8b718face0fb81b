import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { maintenanceMethods } from '../../../server/contract/maintenance.ts';
import { useCall } from '../../api/call.ts';
import { useSnapshots } from '../../api/maintenance.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { nowForName, plural } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

/** States of the registry to go back to: before a demo, before an experiment. */
export function Snapshots() {
  const { data: snapshots, error } = useSnapshots();
  const create = useCall('maintenance.createSnapshot', { handlesErrors: true });
  const { mutate: restore } = useCall('maintenance.restoreSnapshot');
  const { mutate: drop } = useCall('maintenance.dropSnapshot');
  const form = useSchemaForm(
    maintenanceMethods['maintenance.createSnapshot'].input,
    { name: '' },
    { toInput: ({ name }) => ({ name: nameOf(name) }) },
  );
  const confirmRestore = (name: string) =>
    ask({
      title: `Restore the snapshot ${quoted(name)}?`,
      consequence:
        'Packages, tags, people, tokens, rules and download counts become what they were then. What is here now is kept as another snapshot, “before-restore”.',
      action: 'Restore',
      run: () => restore({ name }),
    });
  const confirmDelete = (name: string) =>
    ask({
      title: `Delete the snapshot ${quoted(name)}?`,
      consequence: 'The registry stays as it is. This snapshot is gone for good.',
      action: 'Delete',
      run: () =>
        drop({ name }, { onSuccess: () => notifications.show({ message: said`Deleted the snapshot ${name}` }) }),
    });
  return (
    <Section
      title="Snapshots"
      text="Copies of all packages, tags, people, tokens and rules. They stay on this disk and are restored in seconds."
    >
      <Stack gap={12}>
        <form
          className="gh-form-row"
          onSubmit={form.submit((typed) => {
            const name = nameOf(typed.name);
            create.mutate(
              { name },
              {
                onSuccess: () => {
                  form.reset();
                  notifications.show({ message: said`Took a snapshot: ${name}` });
                },
              },
            );
          })}
        >
          <TextInput
            className="gh-grow"
            data-command="snapshot"
            label="Name"
            placeholder="Current date and time"
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            Take a snapshot
          </Button>
        </form>
        {create.error || error ? <ErrorNotice error={create.error ?? error} /> : null}
        {snapshots?.length === 0 ? <div className="gh-muted">No snapshots yet.</div> : null}
        {snapshots !== undefined && snapshots.length > 0 ? (
          <ul className="gh-list" aria-label="Snapshots">
            {snapshots.map(({ name, automatic, versions, createdAt }) => (
              <li key={name}>
                <strong className="gh-truncate">
                  <TailText text={name} tail={14} />
                </strong>
                {automatic ? <Chip detail="Taken before a restore">Automatic</Chip> : null}
                <span className="gh-muted gh-figures">{plural(versions, 'package version')}</span>
                <span className="gh-spacer" />
                <span className="gh-capital gh-muted gh-figures">
                  <Moment time={createdAt} />
                </span>
                <RowMenu
                  name={name}
                  actions={[
                    { label: 'Restore…', icon: IconRestore, run: () => confirmRestore(name) },
                    { label: 'Delete…', icon: IconTrash, danger: true, run: () => confirmDelete(name) },
                  ]}
                />
              </li>
            ))}
          </ul>
        ) : null}
      </Stack>
    </Section>
  );
}

/** The time where no name was typed. */
const nameOf = (typed: string): string => typed.trim() || nowForName();

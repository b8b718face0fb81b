import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { connectMethods, type ConnectTool } from '../../../server/contract/connect.ts';
import type { Client } from '../../api/client-lines.ts';
import { useCall } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { PathField } from '../../ui/forms/path-field.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { Section } from '../../ui/page/section.tsx';
import { Snippet } from '../../ui/text/snippet.tsx';

/** What the lines are written for, each with the name of the settings that it reads. */
const tools: Record<string, { label: string; tool: ConnectTool }> = {
  npm: { label: 'npm', tool: 'npm' },
  pnpm: { label: 'pnpm', tool: 'npm' },
  yarn: { label: 'Yarn 4', tool: 'yarn' },
  yarn1: { label: 'Yarn 1 (Classic)', tool: 'yarn1' },
  bun: { label: 'Bun', tool: 'npm' },
  deno: { label: 'Deno', tool: 'npm' },
};

interface WriteNpmrcProps {
  projectId: number;
  scope: string;
  /** The client whose lines are shown, which is taken until another is chosen. */
  client: Client;
}

/** Writes the lines into the settings of a folder: previewed, written, and reverted on request. */
export function WriteNpmrc({ projectId, scope, client }: WriteNpmrcProps) {
  const [chosen, setChosen] = useState<string>();
  const name = chosen ?? (client === 'ci' ? 'npm' : client);
  const preview = useCall('connect.preview', { handlesErrors: true });
  const write = useCall('connect.write', { handlesErrors: true });
  const undo = useCall('connect.undo', { handlesErrors: true });
  const form = useSchemaForm(
    connectMethods['connect.undo'].input,
    { folder: '' },
    {
      required: { folder: 'Choose a folder.' },
      onValuesChange: () => {
        reset();
        undo.reset();
      },
    },
  );
  const { folder } = form.values;
  const target = { projectId, scope: scope === '' ? null : scope, folder, tool: tools[name]?.tool ?? 'npm' } as const;
  // What was previewed or written for something else says nothing of this.
  const isFor = (asked: unknown) => JSON.stringify(asked) === JSON.stringify(target);
  const reset = () => {
    preview.reset();
    write.reset();
  };
  const error = preview.error ?? write.error ?? undo.error;
  return (
    <Section
      title="Connect a folder"
      text={
        <>
          Writes the address of this registry and a new administrator token to the folder’s{' '}
          <code>{target.tool === 'yarn' ? '.yarnrc.yml' : '.npmrc'}</code>.
        </>
      }
    >
      <Stack gap={12} align="stretch">
        <form className="gh-form-row" onSubmit={form.submit(() => preview.mutate(target))}>
          <PathField
            label="Folder"
            kind="folder"
            request={{ title: 'The folder of your package or app' }}
            {...form.getInputProps('folder')}
            value={folder}
          />
          <Select
            label="Package manager"
            w={160}
            allowDeselect={false}
            data={Object.entries(tools).map(([value, { label }]) => ({ value, label }))}
            value={name}
            onChange={(value) => {
              setChosen(value ?? undefined);
              reset();
            }}
          />
          <Group gap={8} wrap="nowrap">
            <Button type="submit" variant="default" loading={preview.isPending}>
              Connect…
            </Button>
            <Button
              variant="default"
              loading={undo.isPending}
              onClick={() =>
                form.submit((values) => {
                  reset();
                  undo.mutate(values);
                })()
              }
            >
              Disconnect
            </Button>
          </Group>
        </form>
        {error ? <ErrorNotice error={error} /> : null}
        {preview.data && isFor(preview.variables) && !isFor(write.data && write.variables) ? (
          <>
            <Snippet
              title={preview.data.before === null ? `${preview.data.file} (new)` : preview.data.file}
              code={preview.data.after}
              copyLabel="Copy the file"
            />
            <Button ref={focusButton} w="fit-content" loading={write.isPending} onClick={() => write.mutate(target)}>
              Write to the folder
            </Button>
          </>
        ) : null}
        {write.data && isFor(write.variables) ? (
          <Notice tone="done" title="Written">
            <span className="gh-mono">{write.data.file}</span>
          </Notice>
        ) : null}
        {undo.data ? (
          <Notice
            tone={undo.data.restored ? 'done' : 'plain'}
            title={undo.data.restored ? 'Disconnected' : 'Not connected'}
          >
            {undo.data.restored
              ? 'The file is as it was, and its token is revoked.'
              : 'Gatehouse has not written to this folder.'}
          </Notice>
        ) : null}
      </Stack>
    </Section>
  );
}

/** What was previewed is written next, and the button may be below the fold. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus();
}

import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useProjects } from '../../api/directory.ts';
import { useServerStatus } from '../../api/server.ts';
import { Arrivals } from './arrivals.tsx';
import { SelfTest } from './self-test.tsx';
import { WriteNpmrc } from './write-npmrc.tsx';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import {
  clientLines,
  clients,
  normalizeScope,
  tokenFromFile,
  tokenVariable,
  type Client,
} from '../../api/client-lines.ts';
import './connect.css';

const clientLabels: Record<Client, string> = { npm: 'npm', pnpm: 'pnpm', yarn: 'Yarn', bun: 'Bun', ci: 'CI' };

/** The lines that point a client at this registry, to copy, and how to take them back. */
export function ConnectPage() {
  const status = useServerStatus();
  const projects = useProjects();
  const [client, setClient] = useState<Client>('npm');
  const [chosen, setChosen] = useState<number>();
  const [typedScope, setTypedScope] = useState('');
  const { scope, valid } = normalizeScope(typedScope);

  const error = status.error ?? projects.error;
  const projectId = chosen ?? status.data?.defaultProject?.id ?? projects.data?.[0]?.id;
  if (error !== null || status.data === undefined || projectId === undefined) {
    return (
      <Page title="Connect">
        <Pending what="the address of the registry" error={error} />
      </Page>
    );
  }
  const { origin, rootTokenFile } = status.data;
  const target = { origin, projectId, scope };
  const { file, lines, notes } = clientLines(client, target);

  return (
    <Page title="Connect">
      <div className="gh-connect">
        <section aria-labelledby="connect-where">
          <h2 id="connect-where">Point a client here</h2>
          <p>Put these lines into the folder of a project, and what is run in it talks to this registry.</p>
          <div className="gh-connect-fields">
            <Select
              label="Project"
              description="Packages are published into a project."
              searchable
              allowDeselect={false}
              data={(projects.data ?? []).map((project) => ({ value: String(project.id), label: project.fullPath }))}
              value={String(projectId)}
              onChange={(value) => setChosen(value === null ? undefined : Number(value))}
            />
            <TextInput
              label="Scope"
              description="Leave it empty to send every package here."
              placeholder="@acme"
              value={typedScope}
              error={valid ? undefined : 'A scope is like @acme: small letters, digits, dots and dashes.'}
              onChange={(event) => setTypedScope(event.currentTarget.value)}
            />
          </div>
        </section>
        <section aria-label="Lines">
          <SegmentedControl
            aria-label="Client"
            mb={12}
            data={clients.map((value) => ({ value, label: clientLabels[value] }))}
            value={client}
            onChange={(value) => setClient(value)}
          />
          <Snippet title={file} code={lines} copyLabel={`Copy the lines for ${clientLabels[client]}`} />
          {notes.length > 0 ? (
            <ul className="gh-connect-notes">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          ) : null}
        </section>
        <section aria-labelledby="connect-token">
          <h2 id="connect-token">Give it a token</h2>
          {rootTokenFile === null ? (
            <p>
              The lines read the token from the environment variable <code>{tokenVariable}</code>. Make one with{' '}
              <code>gatehouse token create</code>.
            </p>
          ) : (
            <>
              <p>
                The lines read it from the environment, so no secret lies in the folder. The administrator’s own token
                is in a file that only you can read:
              </p>
              <Snippet title="Terminal" code={tokenFromFile(rootTokenFile)} copyLabel="Copy the command" />
            </>
          )}
        </section>
        <WriteNpmrc projectId={projectId} scope={scope} />
        <Arrivals />
        <SelfTest projectId={projectId} />
        <section aria-labelledby="connect-undo">
          <h2 id="connect-undo">Undo</h2>
          <p>
            Delete the lines that you pasted; what Gatehouse wrote, it takes back with Undo. Nothing outside that folder
            was changed. Lock files that were written meanwhile name this address.
          </p>
        </section>
      </div>
    </Page>
  );
}

import { Button } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useServerStatus } from '../../../api/overview.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import './first-publish.css';
import { actOnceShown } from '../../../ui/page/reach.ts';
import { Snippet } from '../../../ui/text/snippet.tsx';
import { clientLines, firstPublishLine, tokenFromFile } from '../../../api/client-lines.ts';

/** The list of packages before the first one: how to get one in. */
export function FirstPublish() {
  const { data: status } = useServerStatus();
  const navigate = useNavigate();
  const project = status?.defaultProject;
  return (
    <EmptyState
      icon={<IconBox size={24} />}
      title="No packages"
      text="An npm registry on this computer: what you publish appears here."
    >
      {status && project ? (
        <>
          {status.rootTokenFile === null ? null : (
            <section className="gh-first-publish" aria-labelledby="publish-sample">
              <h3 id="publish-sample">Try it with a sample package</h3>
              <p className="gh-muted">
                Paste this into a terminal. It makes the package <code>@demo/hello</code> in a new folder and publishes
                it here:
              </p>
              <Snippet
                title="Terminal"
                code={firstPublishLine(
                  { origin: status.origin, projectId: project.id, scope: '' },
                  status.rootTokenFile,
                )}
                copyLabel="Copy the line"
              />
              <h3>Or publish a package of your own</h3>
            </section>
          )}
          <ol className="gh-steps">
            <li>
              <h3>Point npm here</h3>
              <p>
                Two lines in the <code>.npmrc</code> of your package’s folder.{' '}
                <Link to="/connect">Other clients, scopes and projects</Link>
              </p>
              <Snippet
                title=".npmrc"
                code={clientLines('npm', { origin: status.origin, projectId: project.id, scope: '' }).lines}
                copyLabel="Copy the lines for .npmrc"
              />
            </li>
            <li>
              <h3>Publish</h3>
              <p>
                {status.rootTokenFile === null
                  ? 'With one of your tokens in the environment:'
                  : 'The token of the administrator, set for this terminal only:'}
              </p>
              <Snippet
                title="Terminal"
                code={`${status.rootTokenFile === null ? 'export GATEHOUSE_TOKEN=…' : tokenFromFile(status.rootTokenFile)}\nnpm publish`}
                copyLabel="Copy the commands"
              />
            </li>
          </ol>
          <section className="gh-first-publish" aria-labelledby="import-first">
            <h3 id="import-first">Or import packages from a file</h3>
            <p className="gh-muted">A bundle is a file of packages, exported from another Gatehouse.</p>
            <Button
              variant="default"
              onClick={() =>
                void navigate({ to: '/upstream', search: { tab: 'bundles' } }).then(() => actOnceShown('import'))
              }
            >
              Import a bundle…
            </Button>
          </section>
        </>
      ) : (
        <div className="gh-empty-action">
          <Button variant="default" component={Link} to="/connect">
            Connect a client
          </Button>
        </div>
      )}
    </EmptyState>
  );
}

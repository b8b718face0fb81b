import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { chooseNewFile } from '../../api/app.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { bundleExtensions } from './bundle-text.ts';
import { SelectorField } from './selector-field.tsx';

const asPattern = (scope: string): string => `${scope}/*`;

/** Writes packages into one signed file. */
export function BundleExport() {
  const write = useCall('bundles.export', { handlesErrors: true });
  const [packages, setPackages] = useState<string[]>([]);
  const [closure, setClosure] = useState(true);
  const choose = async () => {
    const file = await chooseNewFile({
      title: 'Export to',
      suggestedName: 'packages.gatehouse',
      extensions: bundleExtensions,
    });
    if (file !== null) write.mutate({ file, packages, closure });
  };
  const report = write.data;
  return (
    <section aria-labelledby="bundles-export">
      <h2 id="bundles-export">Export</h2>
      <p>Packages with their versions and tags in one file, signed by this registry, to carry to another laptop.</p>
      <form
        className="gh-form-row"
        onSubmit={(event) => {
          event.preventDefault();
          void choose();
        }}
      >
        <SelectorField
          label="Packages"
          placeholder="@acme/*, tiny-queue, or vite@^7"
          scopeForm={asPattern}
          value={packages}
          onChange={(value) => {
            setPackages(value);
            write.reset();
          }}
        />
        <Button type="submit" variant="default" disabled={packages.length === 0} loading={write.isPending}>
          Export…
        </Button>
      </form>
      <Checkbox
        mt={10}
        label="With everything that they depend on"
        checked={closure}
        onChange={(event) => setClosure(event.currentTarget.checked)}
      />
      {write.error ? (
        <div className="gh-after">
          <ErrorNotice title="Nothing was exported" error={write.error} />
        </div>
      ) : null}
      {report ? (
        <div className="gh-after">
          <Notice
            {...(report.missing.length > 0 ? { tone: 'warn' as const } : {})}
            title={`Exported ${plural(report.entries.length, 'version')}, ${formatBytes(report.bytes)}`}
          >
            <div className="gh-mono">{report.file}</div>
            {report.missing.length > 0 ? (
              <>
                <div>Not in it, since neither this registry nor an upstream has them:</div>
                <ul>
                  {report.missing.map((each) => (
                    <li key={each} className="gh-mono">
                      {each}
                    </li>
                  ))}
                </ul>
              </>
            ) : null}
          </Notice>
        </div>
      ) : null}
    </section>
  );
}

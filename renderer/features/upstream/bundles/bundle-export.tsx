import { Button, Checkbox, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { bundleMethods } from '../../../../server/contract/bundles.ts';
import { chooseNewFile, showNewFile } from '../../../api/app.ts';
import { useCall } from '../../../api/call.ts';
import { nowForName } from '../../../ui/text/format.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { Section } from '../../../ui/page/section.tsx';
import { PathText } from '../../../ui/text/path-text.tsx';
import { bundleExtensions, bundleNameOf, exportSummary } from './bundle-text.ts';
import { SelectorField } from '../selector-field.tsx';

const exportSchema = bundleMethods['bundles.export'].input.pick({ packages: true });

/** Writes packages into one signed file. `first` is chosen at first. */
export function BundleExport({ first }: { first: string | undefined }) {
  const write = useCall('bundles.export', { handlesErrors: true });
  const form = useSchemaForm(
    exportSchema,
    { packages: first === undefined ? [] : [first], closure: true },
    {
      required: { packages: 'Enter at least one package or scope.' },
      onValuesChange: () => write.reset(),
    },
  );
  const choose = async (values: typeof form.values) => {
    const suggestedName = `${bundleNameOf(values.packages)}-${nowForName()}.gatehouse`;
    const file = await chooseNewFile({ title: 'Export to', suggestedName, extensions: bundleExtensions });
    // The dialog asks before a file is replaced.
    if (file !== null) write.mutate({ file, replace: true, ...values });
  };
  const { mutate: show } = useMutation({ mutationFn: showNewFile });
  const report = write.data;
  return (
    <Section title="Export" text="Writes packages into one signed file for another computer.">
      <Stack gap={12}>
        <form data-command="export" className="gh-form-row" onSubmit={form.submit((values) => void choose(values))}>
          <SelectorField
            label="Packages"
            placeholder="e.g. @acme/*, tiny-queue or vite@^7"
            withScopes
            withCached
            {...form.getInputProps('packages')}
          />
          <Checkbox
            className="gh-bundle-choice"
            label="Include all dependencies"
            {...form.getInputProps('closure', { type: 'checkbox' })}
          />
          <Button type="submit" variant="default" loading={write.isPending}>
            Export…
          </Button>
        </form>
        {write.error ? <ErrorNotice title="Nothing was exported" error={write.error} /> : null}
        {report ? (
          <Notice
            tone={report.missing.length > 0 ? 'warn' : 'done'}
            title={exportSummary(report, write.variables.packages)}
            actions={
              <Button variant="default" size="compact-xs" onClick={() => show(report.file)}>
                Show in folder
              </Button>
            }
          >
            <div className="gh-mono">
              <PathText path={report.file} />
            </div>
            {report.missing.length > 0 ? (
              <>
                <div>Missing, as neither this registry nor another one has them:</div>
                <ul className="gh-mono" style={{ margin: 0, paddingLeft: 18 }}>
                  {report.missing.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              </>
            ) : null}
          </Notice>
        ) : null}
      </Stack>
    </Section>
  );
}

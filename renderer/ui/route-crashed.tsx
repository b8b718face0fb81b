import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from './notice.tsx';
import { Page } from './page.tsx';

/** In place of a screen whose code failed; the rest of the window goes on. */
export function RouteCrashed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <ErrorNotice
        title="This screen failed"
        error={error}
        actions={
          <Button variant="default" onClick={reset}>
            Show it again
          </Button>
        }
      />
    </Page>
  );
}

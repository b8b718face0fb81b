import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';

/** Leads to the registries, from a screen that needs one. */
export function AddRegistryButton() {
  const navigate = useNavigate({ from: '/upstream' });
  return (
    <Button variant="default" onClick={() => void navigate({ search: { tab: 'registries' } })}>
      Add a registry
    </Button>
  );
}

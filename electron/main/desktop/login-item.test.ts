import { describe, expect, it, vi } from 'vitest';

vi.mock('electron', () => ({}));
const { autostartEntry } = await import('./login-item.ts');

function exec(executable: string, args: string[], environment: NodeJS.ProcessEnv = {}): string | undefined {
  const lines = autostartEntry({ executable, args, environment }).split('\n');
  return lines.find((line) => line.startsWith('Exec='));
}

describe('the autostart entry', () => {
  it('starts the app with its arguments', () => {
    expect(exec('/opt/Gatehouse/gatehouse', ['--started-at-login'])).toBe(
      'Exec=/opt/Gatehouse/gatehouse --started-at-login',
    );
  });

  it('keeps what decides about the registry, and no secret', () => {
    const environment = { GATEHOUSE_DATA_DIR: '/data', GATEHOUSE_ROOT_TOKEN: 'secret', HOME: '/home/ada' };
    expect(exec('/g', [], environment)).toBe('Exec=env GATEHOUSE_DATA_DIR=/data /g');
  });

  it.each([
    ['/my apps/gatehouse', String.raw`Exec="/my apps/gatehouse"`],
    ['/50%/gatehouse', String.raw`Exec="/50%%/gatehouse"`],
    ['/a"b/gatehouse', String.raw`Exec="/a\\"b/gatehouse"`],
    ['/a$b/gatehouse', String.raw`Exec="/a\\$b/gatehouse"`],
  ])('quotes %s', (executable, line) => {
    expect(exec(executable, [])).toBe(line);
  });
});

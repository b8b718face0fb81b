import { describe, expect, it } from 'vitest';
import { addressInArguments, linkedAddress, packageAddress } from './deep-links.ts';

describe('links from outside', () => {
  it.each([
    ['gatehouse://package/kettle', 'kettle'],
    ['gatehouse://package/@acme/boiler', '@acme/boiler'],
    ['gatehouse://package/@acme%2fboiler', '@acme/boiler'],
    ['gatehouse://package/%40acme%2Fboiler', '@acme/boiler'],
  ])('%s names %s', (link, name) => {
    expect(linkedAddress(link)).toBe(packageAddress(name));
  });

  it.each([
    'gatehouse://settings/port',
    'gatehouse://inbox/approve',
    'gatehouse://package/',
    'gatehouse://package/a/b/c',
    'gatehouse://package/..%2f..%2fsettings',
    'gatehouse://package/%zz',
    `gatehouse://package/${'x'.repeat(215)}`,
    'https://package/kettle',
    'kettle',
  ])('%s names nothing', (link) => {
    expect(linkedAddress(link)).toBeNull();
  });

  it('open the inbox, and nothing in it', () => {
    expect(linkedAddress('gatehouse://inbox')).toBe('app://gatehouse/#/inbox');
  });

  it('are found among the arguments of a second launch', () => {
    const argv = ['electron', '--flag', '/app', 'gatehouse://package/kettle'];
    expect(addressInArguments(argv)).toBe(packageAddress('kettle'));
    expect(addressInArguments(['electron', '/app'])).toBeNull();
  });

  it('lead to a screen whose address keeps the name', () => {
    expect(packageAddress('@acme/boiler')).toBe('app://gatehouse/#/package-by-name/%40acme%2Fboiler');
  });
});

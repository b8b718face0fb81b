import { describe, expect, it } from 'vitest';
import { carriedElectronFits, placeInElectron } from './carried-electron.ts';

describe('the npm-carried Electron', () => {
  it.each([
    ['Cypress/Cypress', 'electron'],
    ['Cypress/locales/en-US.pak', 'locales/en-US.pak'],
    ['Cypress/resources/app/index.js', null],
    ['Cypress/resources/app-update.yml', null],
    ['Cypress/browser_v8_context_snapshot.bin', null],
    ['Cypress/v8_context_snapshot.bin', 'v8_context_snapshot.bin'],
  ])('puts %s at %s', (entry, place) => {
    expect(placeInElectron(entry)).toBe(place);
  });

  it('is for Linux on x86-64 alone', () => {
    expect(carriedElectronFits('linux', 'x64')).toBe(true);
    expect(carriedElectronFits('linux', 'arm64')).toBe(false);
    expect(carriedElectronFits('darwin', 'x64')).toBe(false);
  });
});

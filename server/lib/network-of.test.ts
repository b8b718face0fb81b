import { expect, test } from 'vitest';
import { networkOf } from './network-of.ts';

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['[::1]:8080', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0000::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['[2001:db8:1:2::7]:443', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', 'unknown'],
  [null, 'unknown'],
  ['x'.repeat(1000), 'unknown'],
])('counts %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

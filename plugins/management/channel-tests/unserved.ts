/** Why nobody serves the channels of a type: its plugin failed, or is not there. */
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import type { TestResult } from '../../services/channel-tests/index.js'

/** For admins, in one sentence. Undefined: a plugin serves them. */
export function unservedReason(
  catalog: Pick<Catalog, 'list' | 'channelTypes'>,
  type: number,
): string | undefined {
  if (catalog.channelTypes().some(({ id }) => id === type)) return undefined
  const failed = catalog
    .list()
    .find(({ manifest }) => manifest.channelTypes?.some(({ id }) => id === type))
  if (failed === undefined) return `No plugin here serves channels of type ${type}.`
  const { manifest, reason } = failed
  const because = reason === undefined ? '.' : `: ${reason.replace(/\.$/, '')}.`
  return `The plugin "${manifest.id}" serves channels of this type, and it failed${because}`
}

/** The result of a test of such a channel is true of the gateway, and no help to who wants it to work. */
export function withReason(
  result: TestResult,
  catalog: Pick<Catalog, 'list' | 'channelTypes'>,
  type: number,
): TestResult {
  const message = result.ok ? undefined : unservedReason(catalog, type)
  return message === undefined ? result : { ...result, message }
}

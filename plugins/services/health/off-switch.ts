/**
 * Switches off by itself what its upstream refuses for good: a key that is not taken, an account without funds. Of a
 * channel with several keys the key alone (CHAN-5). Never in the way of a request: what goes wrong is logged.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Log, Settings } from '../../../kernel/contract/kit.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import { statusCodes } from '../../../kernel/toolkit/stage/index.js'
import type { ChannelPart, Channels } from '../channels/index.js'
import { isConclusive } from './verdict.js'

export interface OffSwitchDependencies {
  readonly settings: Settings
  readonly channels: Pick<Channels, 'get' | 'suspend'>
  readonly log: Log
}

export interface OffSwitch {
  /** @param reason the sentence admins read */
  consider(channel: Channel, keyId: number, failure: Failure, reason: string): void
}

interface Rules {
  readonly on: boolean
  readonly listed: (status: number) => boolean
  /** Lower case. */
  readonly keywords: readonly string[]
}

export function createOffSwitch({ settings, channels, log }: OffSwitchDependencies): OffSwitch {
  let rules = readRules()
  settings.onChange(() => {
    rules = readRules()
  })
  /** Parts that are being switched off; many calls fail at once where one does. */
  const underway = new Set<string>()

  function readRules(): Rules {
    return {
      on: settings.boolean('auto_disable'),
      listed: readStatuses(settings.string('auto_disable_statuses')),
      keywords: keywordsOf(settings.string('auto_disable_keywords')),
    }
  }

  function readStatuses(text: string): (status: number) => boolean {
    try {
      return statusCodes(text)
    } catch (error) {
      log.error(
        { err: error },
        'AutomaticDisableStatusCodes cannot be read; no status switches off',
      )
      return () => false
    }
  }

  function consider(channel: Channel, keyId: number, failure: Failure, reason: string): void {
    if (!rules.on || !channel.autoBan || !isFinal(failure, rules)) return
    const part = partOf(channel, keyId)
    if (part !== undefined) void switchOff(part, reason)
  }

  /** Undefined: it is off already, or the call went out with a key that has been replaced since. */
  function partOf({ id, keys }: Channel, keyId: number): ChannelPart | undefined {
    const channel = channels.get(id)
    const key = channel?.keys.find((known) => known.id === keyId)
    const used = keys.find((known) => known.id === keyId)
    if (channel === undefined || key === undefined || key.text !== used?.text) return undefined
    if (channel.keys.length > 1) return key.enabled ? { channelId: id, keyId } : undefined
    return channel.enabled ? { channelId: id } : undefined
  }

  async function switchOff(part: ChannelPart, reason: string): Promise<void> {
    const name = `${part.channelId}:${part.keyId ?? ''}`
    if (underway.has(name)) return
    underway.add(name)
    try {
      if (await channels.suspend(part, reason)) {
        log.warn({ ...part, reason }, 'the gateway switched off what its upstream refuses')
      }
    } catch (error) {
      log.error({ err: error, ...part }, 'a channel or key could not be switched off')
    } finally {
      underway.delete(name)
    }
  }

  return { consider }
}

/** What a client is to blame for counts for nothing: its own words come back in such errors. */
function isFinal(failure: Failure, { listed, keywords }: Rules): boolean {
  if (!isConclusive(failure)) return false
  const { code, status, upstreamMessage: wording = '', message } = failure
  if (code === 'channel:invalid_key' || listed(status)) return true
  const words = `${wording}\n${message}`.toLowerCase()
  return keywords.some((keyword) => words.includes(keyword))
}

function keywordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split('\n')
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '')
}

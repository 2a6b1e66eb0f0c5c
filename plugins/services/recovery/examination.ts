/** One test and what follows from it: on again, off, or nothing. */

import type { Log } from '../../../kernel/contract/kit.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { ChannelTests, TestResult } from '../channel-tests/index.js'
import type { ChannelPart, Channels } from '../channels/index.js'
import type { Health } from '../health/index.js'
import type { Due } from './due.js'

export interface ExaminationDependencies {
  readonly channels: Pick<Channels, 'get' | 'suspend' | 'resume' | 'noteTest'>
  readonly tests: ChannelTests
  readonly health: Pick<Health, 'claim' | 'reset'>
  readonly log: Log
  readonly stopping: Promise<undefined>
  /** A good test switches on again. */
  mayResume(): boolean
  /** Seconds above which a test switches its channel off; 0: none does. */
  slowSeconds(): number
}

/** `skipped`: nothing was tested, it is gone, changed since or has no key to test with. */
export type Finding = 'skipped' | 'tested' | 'resumed' | 'suspended'

interface Subject {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly testModel: string
  readonly part: ChannelPart
}

export function createExamination(dependencies: ExaminationDependencies) {
  const { channels, tests, health, log } = dependencies

  async function examine(due: Due): Promise<Finding> {
    const subject = subjectOf(due, channels.get(due.channelId))
    if (subject === undefined) return 'skipped'
    const result = await tested(subject)
    if (result === undefined) return 'skipped'
    const isSlow = slower(result.ms)
    if (isSlow && !due.off && subject.channel.autoBan) return suspend(subject.channel, result.ms)
    return due.off && result.ok && !isSlow && dependencies.mayResume()
      ? resume(subject.part)
      : 'tested'
  }

  async function tested({ channel, key, testModel }: Subject): Promise<TestResult | undefined> {
    const result = await Promise.race([
      tests.run(channel, { key, testModel }),
      dependencies.stopping,
    ])
    if (result === undefined) return undefined
    await channels.noteTest(channel.id, result.ms)
    if (result.ok) health.reset({ channelId: channel.id, keyId: key.id, model: result.model })
    // It counts like any other failure, and what is refused for good is switched off as by a caller's.
    else health.claim(channel, key.id, result.model).ended(result.failure)
    return result
  }

  function slower(ms: number): boolean {
    const seconds = dependencies.slowSeconds()
    return seconds > 0 && ms > seconds * 1000
  }

  async function suspend({ id: channelId }: Channel, ms: number): Promise<Finding> {
    const reason = `A test took ${ms} ms; ChannelDisableThreshold allows ${dependencies.slowSeconds()} s.`
    if (!(await channels.suspend({ channelId }, reason))) return 'tested'
    log.warn({ channelId, ms }, 'a channel was switched off because its test was slow')
    return 'suspended'
  }

  async function resume(part: ChannelPart): Promise<Finding> {
    if (!(await channels.resume(part))) return 'tested'
    log.info(part, 'a channel or key is on again after a good test')
    return 'resumed'
  }

  return examine
}

function subjectOf(due: Due, channel: Channel | undefined): Subject | undefined {
  const { channelId, keyId, testModel } = due
  const key = channel?.keys.find((one) => (keyId === undefined ? one.enabled : one.id === keyId))
  if (channel === undefined || key === undefined) return undefined
  const part = keyId === undefined ? { channelId } : { channelId, keyId }
  return { channel, key, testModel, part }
}

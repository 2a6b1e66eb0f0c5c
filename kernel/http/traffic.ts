/**
 * Notifies whoever counts answers, settlements and failures of this process. Where nobody counts it is one addition an
 * answer.
 */

import type { Log } from '../contract/kit.js'
import type { Settling } from '../contract/line/delivery.js'
import type { AnsweredRequest, FailedRequest, Traffic } from '../contract/services/traffic.js'

export interface Counter {
  answered(answer: AnsweredRequest): void
  settled(settling: Settling): void
  failed(request: FailedRequest): void
}

export function createTraffic(log: Log): Traffic & Counter {
  /** By hundred of the status. */
  const byClass = [0, 0, 0, 0, 0, 0]
  let anomalies = 0
  const answerListeners: ((answer: AnsweredRequest) => void)[] = []
  const settleListeners: ((settling: Settling) => void)[] = []
  const failureListeners: ((request: FailedRequest) => void)[] = []

  return {
    onAnswered: (listener) => void answerListeners.push(listener),
    onSettled: (listener) => void settleListeners.push(listener),
    onFailed: (listener) => void failureListeners.push(listener),
    answers: () => Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}xx`, byClass[at] ?? 0])),
    usageAnomalies: () => anomalies,
    answered(answer) {
      const at = Math.floor(answer.status / 100)
      byClass[at] = (byClass[at] ?? 0) + 1
      if (answerListeners.length > 0) notify(answerListeners, answer, log)
    },
    settled(settling) {
      if (settling.kind === 'delivered' && settling.delivery.anomaly) anomalies += 1
      if (settleListeners.length > 0) notify(settleListeners, settling, log)
    },
    failed: (request) => notify(failureListeners, request, log),
  }
}

/** Who counts wrongly harms no request. */
function notify<What>(listeners: readonly ((what: What) => void)[], what: What, log: Log): void {
  try {
    for (const listener of listeners) listener(what)
  } catch (err) {
    log.error({ err }, 'counting what was answered failed')
  }
}

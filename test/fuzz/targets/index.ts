/** Everything that is fuzzed. */
import type { AnyTarget } from '../target.js'
import { eventStream } from './event-stream.js'
import { form } from './form.js'
import { headers } from './headers.js'
import { json } from './json.js'
import { media } from './media.js'
import { operation } from './operations.js'
import { outgoing } from './outgoing.js'
import { override } from './override.js'
import { paths } from './paths.js'
import { providers } from './providers.js'
import { redaction } from './redaction.js'
import { replies } from './replies.js'
import { requests } from './requests.js'
import { sockets } from './sockets.js'
import { sse } from './sse.js'
import { streams } from './streams.js'
import { tasks } from './tasks.js'

export const targets: readonly AnyTarget[] = [
  ...[json, sse, form, eventStream, override, paths, headers, redaction, media],
  ...[requests, replies, streams, providers, outgoing, operation, sockets, tasks],
]

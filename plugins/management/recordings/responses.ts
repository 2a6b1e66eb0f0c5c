/** What the area of recordings returns. */
import joi from 'joi'
import { unixSeconds, wholeNumber } from '../../../kernel/toolkit/management/index.js'

const level = joi.string().valid('', 'headers', 'bodies')
const count = joi.number().integer().min(0)

export const stateForm = joi
  .object({
    everybody: level.description("What is recorded of everybody's requests. Empty: nothing."),
    until: unixSeconds.description('Unix seconds. 0: nothing is recorded of everybody.'),
    owners_may_switch: joi
      .boolean()
      .description('Owners may record the requests of their own keys.'),
  })
  .id('RecordingState')

export const storedForm = joi
  .object({
    recordings: count,
    bytes: wholeNumber,
    oldest: unixSeconds.description('0: there are none.'),
    written: count.description('By this process since it started.'),
    dropped: count.description(
      'By this process, since there was no room or they could not be written.',
    ),
  })
  .id('RecordingsStored')

export const keyState = joi
  .object({ level, until: unixSeconds.description('0: nothing is recorded.') })
  .id('KeyRecording')

export const removedCount = count.description('How many were deleted.')

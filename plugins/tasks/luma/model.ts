/** What is known of models by their names. */

/** They take a length and a resolution; the models before them make clips of five seconds. */
export function isMeasured(model: string): boolean {
  return !/^ray-1/.test(model)
}

/** Sent where the client states none, so that what is billed is what is made. */
export const secondsDefault = 5
export const resolutionDefault = '720p'

export const lengths = [5, 9]
export const resolutions = ['540p', '720p', '1080p', '4k']
export const aspects = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21']

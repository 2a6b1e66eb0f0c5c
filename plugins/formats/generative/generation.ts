/**
 * Generations of the models this format was made for, as far as its documented fields differ between them: from 3 on
 * they take a thinking level and media inside a function response. A name without a generation is of the newest.
 */
export function isThirdGeneration(model: string): boolean {
  const reported = /gemini-(\d+)/.exec(model)?.[1]
  return reported === undefined || Number(reported) >= 3
}

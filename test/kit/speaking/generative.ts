import { counts, data, type Form, type Said } from './said.js'

export const generative: Form = {
  whole: (said) => answer(partsOf(said), 'STOP'),
  stream(said) {
    const parts = partsOf(said)
    return parts.map((part, at) => {
      return data(answer([part], at === parts.length - 1 ? 'STOP' : undefined))
    })
  },
}

function answer(parts: readonly object[], finishReason: string | undefined) {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: counts.input,
      candidatesTokenCount: counts.output,
      totalTokenCount: counts.input + counts.output,
    },
    modelVersion: 'm',
    responseId: 'r1',
  }
}

/** Of several calls the first is signed. */
function partsOf({ thought, text, calls = [] }: Said): object[] {
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ name, input }, at) => ({
      functionCall: { name, args: input },
      ...(at === 0 && { thoughtSignature: 'c2lnbmVkIGNhbGw=' }),
    })),
  ]
}

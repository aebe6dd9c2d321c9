/** Returns whether a word ends a sentence, by its punctuation. */
export const endsSentence = (word: string): boolean => /[.?!…。？！]["'”’)\]]*$/.test(word);

const consonants = "bdfghklmnprstvwz";
const vowels = "aeiou";
const SYLLABLES = 7;
/** Pairs of consonant and vowel; bytes from this multiple on are drawn again, so that every pair is equally likely. */
const PAIRS = consonants.length * vowels.length;
const EVEN = 256 - (256 % PAIRS);

/** A name that can be said aloud, such as `tomerabiluwano`: 7 of 80 syllables, 44 random bits, so that logs of two installations are not confused. */
export function installationName(random: (count: number) => Uint8Array): string {
  let name = "";
  while (name.length < 2 * SYLLABLES) {
    for (const byte of random(SYLLABLES - name.length / 2)) {
      if (byte >= EVEN) continue;
      const pair = byte % PAIRS;
      name += `${consonants[Math.floor(pair / vowels.length)]}${vowels[pair % vowels.length]}`;
    }
  }
  return name;
}

import type { AosCommand, Given } from "../command.ts";

export default (command: AosCommand): AosCommand => {
  command.registeredArguments[0]?.choices(Object.keys(scripts));
  return command
    .description("Prints a shell script that completes commands, options and values of aos.")
    .examples(
      "bash:  echo 'source <(aos completion bash)' >> ~/.bashrc",
      "zsh:   aos completion zsh > /usr/local/share/zsh/site-functions/_aos",
      "fish:  aos completion fish > ~/.config/fish/completions/aos.fish",
    )
    .run(run);
};

// Each asks `aos __complete` with the words up to the cursor; it answers lines of `<word><tab><what it is>`. A last line `:file` asks for names of files.

const bash = `# Completion of aos for bash.
_aos() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" line words
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash splits --option=value at the sign.
  if [[ $current == "=" ]]; then current=""; fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ":file" ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$current"))
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _aos aos
`;

const zsh = `#compdef aos
# Completion of aos for zsh.
_aos() {
  local -a lines shown
  local line
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ $line == ":file" ]]; then
      _files
    elif [[ -n $line ]]; then
      # A colon parts a word from what it is.
      shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  if (( \${#shown} )); then _describe -t commands aos shown; fi
}
if [[ "\${funcstack[1]}" == "_aos" ]]; then _aos "$@"; else compdef _aos aos; fi
`;

const fish = `# Completion of aos for fish.
function __aos_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$line" = ":file"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c aos -f -a "(__aos_complete)"
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };

async function run({ argument, terminal }: Given): Promise<number> {
  terminal.stdout.write(scripts[argument(0)] ?? "");
  return 0;
}

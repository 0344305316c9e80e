# Sourced first by every script, in the root of the project. --help prints the comment at the top of the script and ends.
# The caller defines say().
for argument; do
  case $argument in
    --help | -h) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "scripts/$(basename "$0")"; exit 0 ;;
  esac
done
given=("$@")

# asked OPTION: succeeds if the option was given.
asked() { case " ${given[*]-} " in *" $1 "*) ;; *) return 1 ;; esac; }

# only_options [OPTION...]: refuses all other options. Write an option with a value with a "=", as in --seed=.
only_options() {
  local argument option=
  for argument in ${given[@]+"${given[@]}"}; do
    if [ -n "$option" ]; then option=; continue; fi
    case $argument in
      -*)
        case " $* " in
          *" $argument "*) ;;
          *" $argument= "*) option=$argument ;;
          *) say "unknown option $argument; --help lists the options"; exit 2 ;;
        esac ;;
    esac
  done
  [ -z "$option" ] || { say "$option takes a value"; exit 2; }
}
